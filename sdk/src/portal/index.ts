export type { FieldError, FlatPage, PageQuery, Problem } from '../envelope.ts';
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
export type { ChannelType, ChannelTypeQuery as ChannelTypeFilters, FileRecord } from '../records.ts';
export type { CallOptions, PorticoPortalOptions, TokenSource } from './call.ts';
export { PorticoPortal } from './portico-portal.ts';
export type {
  ApiKeyChange,
  ApiKeyFilters,
  ApiKeyRecord,
  CreatedApiKey,
  ErrorEntry,
  FileFilters,
  Login,
  Me,
  NewApiKey,
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
} from './records.ts';
