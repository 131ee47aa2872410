import type { ChannelTypeQuery, NewTransfer, TransferQuery } from '../records.ts';

/** What comes from a form or an address bar is any text; the service judges it. */
type Loose<Query> = { [Name in keyof Query]: Query[Name] extends string | undefined ? string : Query[Name] };

export type ChannelTypeFilters = Loose<ChannelTypeQuery>;

export type FileFilters = {
  institutionBizId: string;
  workspaceBizId?: string;
  fileCategory?: number;
  fileStatus?: number;
  /** 1 LIVE, which is the default; 2 TEST. */
  mode?: number;
};

/** The mode is LIVE unless it says TEST. */
export type TransferFilters = Loose<TransferQuery> & { mode?: string };

/** The file of a form, and where it belongs; the category by its code. */
export type UploadForm = {
  institutionBizId: string;
  workspaceBizId: string;
  fileCategory: number;
  remark?: string;
  file: Blob;
};

/** 1 LIVE, the default; 2 TEST. */
export type NewWorkspaceTransfer = NewTransfer & { mode?: number };

/** A reason is given to what is FAILED. */
export type TransferMove = { status: string; failureReason?: string };
