import { type FileRecord, fileCategories, fileStatuses } from '@portico/sdk/portal';
import { IconFiles } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { ListView } from '../../list/list-view.tsx';
import { useList } from '../../list/use-list.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { useMe } from '../../session/me.tsx';
import { portal } from '../../session/portal.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { columnsOf } from './columns.tsx';
import { FileDrawer } from './file-drawer.tsx';
import { codeOf, filesListOf } from './list.ts';
import { Toolbar } from './toolbar.tsx';

/** The institution of the address; else that of the workspace, else the first. */
function useInstitution(): [string | undefined, (bizId: string) => void] {
  const { institutions } = useMe();
  const workspace = useWorkspace();
  const [params, setParams] = useSearchParams();
  const find = (bizId: string | null | undefined) => institutions.find((each) => each.bizId === bizId);
  const chosen = find(params.get('institution')) ?? find(workspace?.institutionBizId) ?? institutions[0];
  const set = useCallback(
    (bizId: string) =>
      setParams((old) => {
        const { page: _page, within: _within, ...kept } = Object.fromEntries(old);
        return { ...kept, institution: bizId };
      }),
    [setParams],
  );
  return [chosen?.bizId, set];
}

/** The file of the address, if it is on this page of the list: the back button closes it. */
function useOpenFile(files: readonly FileRecord[] | undefined) {
  const [params, setParams] = useSearchParams();
  const asked = params.get('file');
  const set = useCallback(
    (bizId: string | undefined) =>
      setParams((old) => {
        const { file: _file, ...kept } = Object.fromEntries(old);
        return bizId === undefined ? kept : { ...kept, file: bizId };
      }),
    [setParams],
  );
  return {
    file: files?.find(({ bizId }) => bizId === asked),
    open: useCallback((file: FileRecord) => set(file.bizId), [set]),
    close: useCallback(() => set(undefined), [set]),
  };
}

function Files({
  institution,
  setInstitution,
}: {
  institution: string;
  setInstitution(bizId: string): void;
}) {
  const { workspaces } = useMe();
  const own = useMemo(
    () => workspaces.filter(({ institutionBizId }) => institutionBizId === institution),
    [workspaces, institution],
  );
  const list = useList(useMemo(() => filesListOf(own.map(({ bizId }) => bizId)), [own]));
  const { category, status, within } = list.state.filters;
  const fileCategory = codeOf(fileCategories, category);
  const fileStatus = codeOf(fileStatuses, status);
  const filters = {
    institutionBizId: institution,
    ...(within === undefined ? {} : { workspaceBizId: within }),
    ...(fileCategory === undefined ? {} : { fileCategory }),
    ...(fileStatus === undefined ? {} : { fileStatus }),
  };
  const result = usePageQuery({
    key: ['files', filters, list.query],
    load: (options) => portal.listFiles(filters, list.query, options),
  });
  const { file, open, close } = useOpenFile(result.page?.content);
  const columns = useMemo(() => columnsOf(open), [open]);
  return (
    <>
      <ListView
        label="Files"
        list={list}
        result={result}
        columns={columns}
        rowKey={({ bizId }) => bizId}
        onOpen={open}
        toolbar={
          <Toolbar list={list} institution={institution} workspaces={own} setInstitution={setInstitution} />
        }
        empty={
          <EmptyState icon={<IconFiles size={24} />} title="No files yet">
            Files that are uploaded for this institution are listed here.
          </EmptyState>
        }
      />
      <FileDrawer file={file} onClose={close} />
    </>
  );
}

export function FilesPage() {
  const [institution, setInstitution] = useInstitution();
  return (
    <Page title="Files" description="Documents and reports of your institution">
      {institution === undefined ? (
        <EmptyState icon={<IconFiles size={24} />} title="You belong to no institution">
          Ask an administrator to add you to one.
        </EmptyState>
      ) : (
        <Files key={institution} institution={institution} setInstitution={setInstitution} />
      )}
    </Page>
  );
}
