export type { FieldError, FlatPage, NestedPage, PageQuery, Problem } from '../envelope.ts';
export {
  AuthenticationError,
  ConflictError,
  type ErrorDetails,
  ForbiddenError,
  InvalidInputError,
  NetworkError,
  NotFoundError,
  PorticoError,
  RateLimitError,
  UnavailableError,
} from '../errors.ts';
export type {
  ChannelType,
  ChannelTypeQuery as ChannelTypeFilters,
  FileRecord,
  Transfer,
} from '../records.ts';
export type { CallOptions, PorticoPortalOptions, TokenSource } from './call.ts';
export {
  auditActions,
  channelTypeStatuses,
  fileCategories,
  fileStatuses,
  keyModes,
  keyStatuses,
  scopes,
  transferStatuses,
} from './catalogues.ts';
export { PorticoPortal } from './portico-portal.ts';
export type {
  ApiKeyChange,
  ApiKeyFilters,
  ApiKeyRecord,
  AuditLogFilters,
  AuditLogRecord,
  CreatedApiKey,
  ErrorEntry,
  FileFilters,
  Login,
  Me,
  NewApiKey,
  OpenIdConnectOffer,
  OwnAccount,
  OwnInstitution,
  OwnWorkspace,
  RefreshRequest,
  RotatedApiKey,
  Rotation,
  SignInConfig,
  Simulation,
  SimulationTrace,
  Tokens,
  TransferFilters,
} from './records.ts';
