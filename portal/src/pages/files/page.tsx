import { type FileRecord, fileCategories, fileStatuses } from '@portico/sdk/portal';
import { IconFiles } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { ListView } from '../../list/list-view.tsx';
import { useList } from '../../list/use-list.ts';
import { useOpenRow } from '../../list/use-open-row.ts';
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
  const { openId, open, close } = useOpenRow('file');
  const openFile = useCallback(({ bizId }: FileRecord) => open(bizId), [open]);
  const file = result.page?.content.find(({ bizId }) => bizId === openId);
  const columns = useMemo(() => columnsOf(openFile), [openFile]);
  return (
    <>
      <ListView
        label="Files"
        list={list}
        result={result}
        columns={columns}
        rowKey={({ bizId }) => bizId}
        onOpen={openFile}
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
