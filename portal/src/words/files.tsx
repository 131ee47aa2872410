import type { ReactNode } from 'react';
import { words } from './words.ts';

export const filesWords = words({
  title: ['Files', '文件'],
  testTitle: ['TEST files', 'TEST 文件'],
  file: ['file', '文件'],
  about: ['Documents and reports of your institution', '所属机构的文档与报表'],
  aboutTest: ['Test data, uploaded with TEST keys', '使用 TEST 密钥上传的测试数据'],
  none: ['No files yet', '暂无文件'],
  noneTest: ['No TEST files', '暂无 TEST 文件'],
  noneAbout: [
    'Files that are uploaded for this institution are listed here.',
    '为该机构上传的文件会列在这里。',
  ],
  noneTestAbout: [
    'What programs upload with TEST keys is listed here.',
    '程序使用 TEST 密钥上传的文件会列在这里。',
  ],
  noInstitution: ['You belong to no institution', '您不属于任何机构'],
  noInstitutionAbout: ['Ask an administrator to add you to one.', '请联系管理员将您加入机构。'],

  institution: ['Institution', '机构'],
  workspace: ['Workspace', '工作区'],
  allWorkspaces: ['All workspaces', '全部工作区'],
  fileId: ['File id', '文件 ID'],
  name: ['Name', '名称'],
  category: ['Category', '类别'],
  status: ['Status', '状态'],
  type: ['Type', '类型'],
  contentType: ['Content type', '内容类型'],
  size: ['Size', '大小'],
  created: ['Created', '创建时间'],
  createdBy: ['Created by', '创建者'],
  bucket: ['Bucket', '存储桶'],
  objectKey: ['Object key', '对象键'],
  etag: ['ETag', 'ETag'],
  remark: ['Remark', '备注'],
  noRemark: ['None', '无'],
  both: [(short: string, exact: string) => `${short} (${exact})`, (short, exact) => `${short}（${exact}）`],

  pending: [
    'Its content is still arriving. It can be downloaded when all of it is there.',
    '内容仍在上传，全部到达后即可下载。',
  ],
  processing: [
    'Its content is being scanned. It can be downloaded once nothing harmful was found in it.',
    '内容正在扫描，确认安全后即可下载。',
  ],
  quarantined: [
    'Something harmful was found in its content, which is given to nobody.',
    '内容中发现有害信息，已禁止任何人获取。',
  ],
  rejected: [
    'It was refused by the platform, and its content is given to nobody.',
    '已被平台拒绝，任何人都无法获取其内容。',
  ],
  archived: ['It is kept out of the way, and can be restored.', '已归档，可以恢复。'],

  download: ['Download', '下载'],
  stopDownload: ['Stop the download', '停止下载'],
  archive: ['Archive', '归档'],
  restore: ['Restore', '恢复'],
  isArchived: [(name: string) => `${name} is archived`, (name) => `${name} 已归档`],
  isRestored: [(name: string) => `${name} is restored`, (name) => `${name} 已恢复`],
  delete: ['Delete', '删除'],
  deleteTitle: ['Delete file', '删除文件'],
  keep: ['Keep it', '保留'],
  isDeleted: [(name: string) => `${name} is deleted`, (name) => `${name} 已删除`],
  deleteAbout: [
    (name: ReactNode) => (
      <>
        {name} and its content are gone at once, for everyone. That cannot be undone; the audit log remembers
        that it was there. To keep it out of the way, archive it instead.
      </>
    ),
    (name) => (
      <>{name} 及其内容将立即对所有人删除，且无法撤销；审计日志会保留其存在的记录。如只需收起，请改为归档。</>
    ),
  ],
});

export const uploadWords = words({
  upload: ['Upload', '上传'],
  uploadCount: [(count: number) => `Upload ${count} files`, (count) => `上传 ${count} 个文件`],
  title: ['Upload files', '上传文件'],
  done: ['Done', '完成'],
  dropHere: ['Drop files to upload them', '松开即可上传文件'],
  chosen: ['Files to upload', '待上传的文件'],
  leaveOut: [(name: string) => `Leave out ${name}`, (name) => `移除 ${name}`],
  choose: ['Choose files', '选择文件'],
  orDrop: ['or drop them anywhere on this page', '或拖放到本页任意位置'],
  noFolders: ['Folders are left out: choose the files in them.', '不支持文件夹，请选择其中的文件。'],
  remark: ['Remark', '备注'],
  remarkAbout: ['Optional, the same for all of them', '选填，适用于所有文件'],
  lost: [
    'No answer came. Try again: it is stored once, however often it is sent.',
    '未收到响应。请重试：无论发送多少次都只会保存一份。',
  ],
  waiting: ['Waiting', '等待中'],
  uploaded: ['Uploaded', '已上传'],
  cancelled: ['Cancelled, nothing of it is kept', '已取消，未保留任何内容'],
  storing: ['Being stored', '正在保存'],
  sentOf: [(sent: string, all: string) => `${sent} of ${all}`, (sent, all) => `${sent} / ${all}`],
  uploadOf: [(name: string) => `Upload of ${name}`, (name) => `${name} 的上传进度`],
  cancelUpload: [(name: string) => `Cancel the upload of ${name}`, (name) => `取消上传 ${name}`],
  tryAgain: ['Try again', '重试'],
  tryAgainOf: [(name: string) => `Try again: ${name}`, (name) => `重试：${name}`],
  doneOf: [
    (count: number, of: number) => `${count} of ${of} uploaded`,
    (count, of) => `已上传 ${count} / ${of}`,
  ],
  refused: [(count: number) => `${count} refused`, (count) => `${count} 个被拒绝`],
  cancelledCount: [(count: number) => `${count} cancelled`, (count) => `${count} 个已取消`],
  between: [', ', '，'],
});
