import { Button } from '@mantine/core';
import { type FileCategoryCode, type FileRecord, fileCategories, type Mode } from '@portico/sdk/portal';
import { IconFiles, IconUpload } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { ListView } from '../../list/list-view.tsx';
import { useList } from '../../list/use-list.ts';
import { useMe } from '../../session/me.tsx';
import { useMode } from '../../session/mode.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { filesWords, uploadWords } from '../../words/files.tsx';
import { columnsOf } from './columns.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { DropVeil } from './drop-veil.tsx';
import { FileDrawer } from './file-drawer.tsx';
import { codeOf, filesListOf, savedFields } from './list.ts';
import { type Manager, useManager } from './manager.ts';
import { Toolbar } from './toolbar.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { useFiles } from './use-files.ts';
import { useInstitution } from './use-institution.ts';

type Chosen = { institution: string; setInstitution(bizId: string): void };

/** The list of an institution, and in which of its workspaces one may change something. */
function useChosen({ institution }: Chosen) {
  const { workspaces } = useMe();
  const here = useWorkspace();
  const own = useMemo(
    () => workspaces.filter(({ institutionBizId }) => institutionBizId === institution),
    [workspaces, institution],
  );
  const list = useList(useMemo(() => filesListOf(own.map(({ bizId }) => bizId)), [own]));
  const { within } = list.state.filters;
  const writable = own.filter(
    ({ bizId, role }) => role !== 'VIEWER' && (within === undefined || bizId === within),
  );
  const first = writable.find(({ bizId }) => bizId === here?.bizId) ?? writable[0];
  return { own, list, writable, first: first?.bizId ?? '' };
}

type FilesProps = Chosen & { chosen: ReturnType<typeof useChosen>; mode: Mode; manager: Manager };

function Tasks({
  chosen,
  manager,
  onDeleted,
}: Pick<FilesProps, 'chosen' | 'manager'> & { onDeleted(): void }) {
  const { task } = manager;
  const code = codeOf(fileCategories, chosen.list.state.filters.category) ?? 99;
  return (
    <>
      {task?.action === 'upload' ? (
        <UploadDialog
          key={task.number}
          dropped={task.dropped}
          workspace={chosen.first}
          category={code as FileCategoryCode} // found among them
          manager={manager}
        />
      ) : null}
      {task?.action === 'delete' ? (
        <DeleteDialog key={task.number} file={task.file} manager={manager} onDeleted={onDeleted} />
      ) : null}
    </>
  );
}

function Files({ institution, setInstitution, chosen, mode, manager }: FilesProps) {
  const { list, own } = chosen;
  const { result, file, isListed, open, close } = useFiles(institution, mode, list);
  const { forget } = manager;
  const openFile = useCallback(
    ({ bizId }: FileRecord) => {
      forget();
      open(bizId);
    },
    [open, forget],
  );
  const columns = useMemo(() => columnsOf(openFile), [openFile]);
  return (
    <>
      <ListView
        label={mode === 'TEST' ? filesWords.testTitle : filesWords.title}
        list={list}
        result={result}
        columns={columns}
        rowKey={({ bizId }) => bizId}
        onOpen={openFile}
        toolbar={
          <Toolbar list={list} institution={institution} workspaces={own} setInstitution={setInstitution} />
        }
        csv={{ name: `files-${mode.toLowerCase()}`, fields: savedFields }}
        openById={open}
        empty={
          <EmptyState
            icon={<IconFiles size={24} />}
            title={mode === 'TEST' ? filesWords.noneTest : filesWords.none}
          >
            {mode === 'TEST' ? filesWords.noneTestAbout : filesWords.noneAbout}
          </EmptyState>
        }
      />
      <FileDrawer file={file} isTest={isListed && mode === 'TEST'} manager={manager} onClose={close} />
      <Tasks chosen={chosen} manager={manager} onDeleted={close} />
    </>
  );
}

function InInstitution(props: Chosen) {
  const chosen = useChosen(props);
  const manager = useManager(props.institution, chosen.writable);
  const mode = useMode();
  // What people upload is LIVE.
  const mayUpload = mode === 'LIVE' && chosen.writable.length > 0;
  const { begin, task } = manager;
  const isOver = useFileDrop(mayUpload && task === undefined, (dropped) =>
    begin({ action: 'upload', dropped }, null),
  );
  return (
    <Page
      title={filesWords.title}
      description={mode === 'TEST' ? filesWords.aboutTest : filesWords.about}
      actions={
        mayUpload ? (
          <Button
            leftSection={<IconUpload size={16} aria-hidden />}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) =>
              begin({ action: 'upload', dropped: { files: [], hasFolders: false } }, currentTarget)
            }
          >
            {uploadWords.upload}
          </Button>
        ) : null
      }
    >
      <Files key={mode} {...props} chosen={chosen} mode={mode} manager={manager} />
      <DropVeil isOver={isOver} />
    </Page>
  );
}

export function FilesPage() {
  const [institution, setInstitution] = useInstitution();
  if (institution === undefined)
    return (
      <Page title={filesWords.title} description={filesWords.about}>
        <EmptyState icon={<IconFiles size={24} />} title={filesWords.noInstitution}>
          {filesWords.noInstitutionAbout}
        </EmptyState>
      </Page>
    );
  return <InInstitution key={institution} institution={institution} setInstitution={setInstitution} />;
}
