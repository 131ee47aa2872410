export { Answer, type Answered, type RateLimit, type ResponseInfo } from './answer.ts';
export type { CallOptions } from './call-options.ts';
export {
  type ChannelTypeStatus,
  channelTypeStatuses,
  type EventType,
  eventTypes,
  type FileCategory,
  type FileCategoryCode,
  type FileStatus,
  type FileStatusCode,
  fileCategories,
  fileStatuses,
  type Mode,
  type Scope,
  scopes,
  type TransferStatus,
  transferStatuses,
} from './catalogues.ts';
export type { Change, ChangesQuery } from './changes.ts';
export type { SignedCollection } from './collection.ts';
export type { UploadSource } from './content.ts';
export type { ByteRange, Download } from './download.ts';
export type { Envelope, FieldError, NestedPage, PageQuery, Problem } from './envelope.ts';
export {
  AuthenticationError,
  ClockError,
  ConflictError,
  type ErrorDetails,
  ForbiddenError,
  InvalidInputError,
  KeyStatusError,
  NetworkError,
  NotFoundError,
  PorticoError,
  RateLimitError,
  ReplayError,
  SignatureError,
  UnavailableError,
} from './errors.ts';
export type {
  EventData,
  EventPage,
  EventQuery,
  PorticoEvent,
  PulledType,
} from './event-records.ts';
export type { Events, FollowedEvent, FollowQuery } from './events.ts';
export type { Files } from './files.ts';
export { lookBackSeconds } from './keeping-in-step.ts';
export { Portico } from './portico.ts';
export type {
  ChannelType,
  ChannelTypeQuery,
  FileQuery,
  FileRecord,
  NewFile,
  NewTransfer,
  Pong,
  Transfer,
  TransferQuery,
  WhoAmI,
} from './records.ts';
export {
  canonicalQuery,
  type SignableRequest,
  type SignatureHeaders,
  type SignedParts,
  type SigningKey,
  sign,
  signatureHeaders,
  stringToSign,
} from './signature.ts';
export type { PorticoOptions } from './signed-caller.ts';
export type { Transfers } from './transfers.ts';
export { WebhookError, type WebhookRefusal } from './webhook-error.ts';
export type { WebhookSecrets } from './webhook-secret.ts';
export type { ReceivedHeaders, SignOptions, VerifyOptions, WebhookHeaders, Webhooks } from './webhooks.ts';
export type { RequestOutcome, SentRequest } from './wire.ts';
