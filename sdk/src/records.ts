import type {
  ChannelTypeStatus,
  FileCategory,
  FileCategoryCode,
  FileStatus,
  FileStatusCode,
  Mode,
  Scope,
  TransferStatus,
} from './catalogues.ts';

/** Times are ISO 8601 in UTC. */

export type Transfer = {
  transferId: string;
  /** Decimal, with the digits of its currency. */
  amount: string;
  currency: string;
  status: TransferStatus;
  createdAt: string;
  updatedAt: string;
  reference: string | null;
};

export type TransferQuery = {
  status?: TransferStatus;
  currency?: string;
  /** Inclusive. */
  createdFrom?: string;
  /** Exclusive. */
  createdTo?: string;
  /** Exactly this one. */
  reference?: string;
  /** Inclusive. */
  updatedFrom?: string;
  /** Exclusive. */
  updatedTo?: string;
};

/** The amount is a decimal text with exactly the digits of its currency after the point. */
export type NewTransfer = { amount: string; currency: string; reference?: string };

export type FileRecord = {
  bizId: string;
  bucket: string;
  objectKey: string;
  originalFilename: string;
  fileSize: number;
  contentType: string;
  fileCategory: FileCategory;
  fileStatus: FileStatus;
  etag: string;
  remark: string;
  createdAt: string;
  createdBy: string;
};

/** What is said of a file that is uploaded; the category by its code. */
export type NewFile = { filename: string; fileCategory: FileCategoryCode; remark?: string };

/** By code, as an integer; the records carry the names. */
export type FileQuery = { fileCategory?: FileCategoryCode; fileStatus?: FileStatusCode };

export type ChannelType = {
  bizId: string;
  typeCode: string;
  typeValue: number;
  typeName: string;
  typeDescription: string;
  typeStatus: ChannelTypeStatus;
  displayOrder: number;
  iconUrl: string | null;
  extraConfig: unknown;
  createdAt: string;
  updatedAt: string;
};

export type ChannelTypeQuery = {
  bizId?: string;
  typeCode?: string;
  typeStatus?: ChannelTypeStatus;
  enabledOnly?: boolean;
};

export type Pong = {
  pong: true;
  /** Epoch seconds. */
  serverTime: number;
};

export type WhoAmI = {
  apiKeyId: string;
  workspaceBizId: string;
  mode: Mode;
  scopes: Scope[];
  ip: string;
  /** Epoch seconds. */
  serverTime: number;
};
