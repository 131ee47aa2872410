export type Envelope<Data> = {
  version: string;
  /** Epoch milliseconds. */
  timestamp: number;
  success: true;
  code: '2000';
  message: 'SUCCESS';
  data: Data;
};

type Counts = { size: number; number: number; totalElements: number; totalPages: number };

/** A page of the Open API. */
export type NestedPage<Item> = { content: Item[]; page: Counts };

/** A page of the portal. */
export type FlatPage<Item> = { content: Item[] } & Counts;

export type PageQuery = {
  /** Zero-based; default 0. */
  page?: number;
  /** Default 20; above 100 is 100. */
  size?: number;
  /** `field,asc` or `field,desc`; further ones break ties. */
  sort?: string | readonly string[];
};

export type FieldError = { field: string; message: string };

/** An error in the form of RFC 9457. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  success: false;
  code: string;
  alias?: string;
  message: string;
  errors: FieldError[];
};
