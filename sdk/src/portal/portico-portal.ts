import { type Answer, mapped } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { FlatPage, PageQuery } from '../envelope.ts';
import type { ChannelType } from '../records.ts';
import { queryString, readBaseUrl } from '../wire.ts';
import type { PorticoPortalOptions } from './call.ts';
import {
  accountPath,
  auditRecordPath,
  channelTypePath,
  keyPath,
  keysPath,
  sessionPath,
  workspacePath,
} from './paths.ts';
import type {
  AccountChange,
  AccountRecord,
  ApiKeyChange,
  ApiKeyFilters,
  ApiKeyRecord,
  AskingDevice,
  AuditLogFilters,
  AuditLogRecord,
  CreatedApiKey,
  DeviceCode,
  DeviceSignIn,
  ErrorEntry,
  Login,
  Me,
  NewApiKey,
  NewDeviceSignIn,
  NewSecondFactor,
  PasswordChange,
  PasswordReset,
  PasswordResetRequest,
  RecoveryCodes,
  RefreshRequest,
  RotatedApiKey,
  Rotation,
  SecondFactorCode,
  SessionRecord,
  SignInConfig,
  Simulation,
  SimulationTrace,
  Tokens,
  UserCode,
} from './records.ts';
import { WatchCalls } from './watch.ts';
import type { ChannelTypeFilters } from './work-records.ts';

/** A client of the portal's endpoints, for browsers too. It keeps no token: it asks for one at each call. */
export class PorticoPortal extends WatchCalls {
  readonly #baseUrl: string;

  constructor(options: PorticoPortalOptions) {
    super(options);
    this.#baseUrl = readBaseUrl(options.baseUrl);
  }

  login(body: Login, options: CallOptions = {}): Answer<Tokens> {
    const path = '/web/v1/auth/login';
    return this.call({ method: 'POST', path, body, repeat: 'once', tokens: ['turnstile'] }, options);
  }

  /** Without a body, of the session in the cookie. */
  refresh(body: RefreshRequest = {}, options: CallOptions = {}): Answer<Tokens> {
    const path = '/web/v1/auth/refresh';
    return this.call({ method: 'POST', path, body, repeat: 'once', tokens: [] }, options);
  }

  /** Without a body, of the session in the cookie. */
  logout(body: RefreshRequest = {}, options: CallOptions = {}): Answer<void> {
    const path = '/web/v1/auth/logout';
    return this.done(this.call({ method: 'POST', path, body, repeat: 'once', tokens: ['access'] }, options));
  }

  /** Of every session of the account. */
  logoutEverywhere(options: CallOptions = {}): Answer<void> {
    return this.done(this.write('POST', '/web/v1/auth/logout-everywhere', undefined, options));
  }

  /** For a program without a browser: a person confirms its user code in the portal, meanwhile it polls. */
  startDeviceSignIn(body: NewDeviceSignIn = {}, options: CallOptions = {}): Answer<DeviceSignIn> {
    const path = '/web/v1/auth/device';
    return this.call({ method: 'POST', path, body, repeat: 'once', tokens: [] }, options);
  }

  /** Throws 4090 until it is confirmed, 4290 when polled too often, 4030 when it was denied, 4040 when it is over. */
  finishDeviceSignIn(body: DeviceCode, options: CallOptions = {}): Answer<Tokens> {
    const path = '/web/v1/auth/device/token';
    return this.call({ method: 'POST', path, body, repeat: 'once', tokens: [] }, options);
  }

  /** Who asks: show it before anyone confirms. */
  lookUpDeviceSignIn(body: UserCode, options: CallOptions = {}): Answer<AskingDevice> {
    const path = '/web/v1/auth/device/lookup';
    return this.call({ method: 'POST', path, body, repeat: 'read', tokens: ['access'] }, options);
  }

  confirmDeviceSignIn(body: UserCode, options: CallOptions = {}): Answer<AskingDevice> {
    return this.command('/web/v1/auth/device/confirm', body, options);
  }

  denyDeviceSignIn(body: UserCode, options: CallOptions = {}): Answer<AskingDevice> {
    return this.command('/web/v1/auth/device/deny', body, options);
  }

  me(options: CallOptions = {}): Answer<Me> {
    return this.read('/web/v1/auth/me', options);
  }

  signInConfig(options: CallOptions = {}): Answer<SignInConfig> {
    const path = '/web/v1/auth/config';
    return this.call({ method: 'GET', path, repeat: 'read', tokens: [] }, options);
  }

  /** The address for a browser to go to, to sign in by OpenID Connect; afterwards it shows a page of the portal. */
  openIdConnectUrl(returnTo?: string): string {
    return `${this.#baseUrl}/web/v1/auth/oidc/start${queryString({ returnTo })}`;
  }

  /** Answered the same for every e-mail address; an account that has it is mailed a link. */
  requestPasswordReset(body: PasswordResetRequest, options: CallOptions = {}): Answer<void> {
    const path = '/web/v1/auth/password-reset';
    return this.done(
      this.call({ method: 'POST', path, body, repeat: 'once', tokens: ['turnstile'] }, options),
    );
  }

  /** Ends every sign-in of the account. */
  confirmPasswordReset(body: PasswordReset, options: CallOptions = {}): Answer<void> {
    const path = '/web/v1/auth/password-reset/confirm';
    return this.done(this.call({ method: 'POST', path, body, repeat: 'once', tokens: [] }, options));
  }

  getAccount(options: CallOptions = {}): Answer<AccountRecord> {
    return this.read(accountPath, options);
  }

  changeAccount(change: AccountChange, options: CallOptions = {}): Answer<AccountRecord> {
    return this.write('PATCH', accountPath, change, options);
  }

  /** Ends every other sign-in of the account. */
  changePassword(body: PasswordChange, options: CallOptions = {}): Answer<null> {
    return this.command(`${accountPath}/password`, body, options);
  }

  listSessions(page: PageQuery = {}, options: CallOptions = {}): Answer<FlatPage<SessionRecord>> {
    return this.read(`${accountPath}/sessions${queryString(page)}`, options);
  }

  endSession(sessionId: string, options: CallOptions = {}): Answer<null> {
    return this.write('DELETE', sessionPath(sessionId), undefined, options);
  }

  /** Asked for nowhere until `confirmSecondFactor`. */
  addSecondFactor(options: CallOptions = {}): Answer<NewSecondFactor> {
    return this.command(`${accountPath}/second-factor`, undefined, options);
  }

  /** The recovery codes are in this answer and in no other. */
  confirmSecondFactor(body: SecondFactorCode, options: CallOptions = {}): Answer<RecoveryCodes> {
    return this.command(`${accountPath}/second-factor/confirm`, body, options);
  }

  removeSecondFactor(body: SecondFactorCode, options: CallOptions = {}): Answer<null> {
    return this.write('DELETE', `${accountPath}/second-factor`, body, options);
  }

  /** Every error the service can answer. */
  errors(options: CallOptions = {}): Answer<ErrorEntry[]> {
    const listed = this.read<{ errors: ErrorEntry[] }>('/web/v1/errors', options);
    return mapped(listed.withResponse(), ({ errors }) => errors);
  }

  queryChannelTypes(
    filters: ChannelTypeFilters = {},
    page: PageQuery = {},
    options: CallOptions = {},
  ): Answer<FlatPage<ChannelType>> {
    return this.query('/web/v1/notification-channel-types/query', filters, page, options);
  }

  getChannelType(typeCode: string, options: CallOptions = {}): Answer<ChannelType> {
    return this.read(channelTypePath(typeCode), options);
  }

  /** For owners: who did what to what. */
  listAuditLog(
    workspaceId: string,
    filters: AuditLogFilters = {},
    page: PageQuery = {},
    options: CallOptions = {},
  ): Answer<FlatPage<AuditLogRecord>> {
    const query = queryString({ ...filters, ...page });
    return this.read(`${workspacePath(workspaceId)}/audit-log${query}`, options);
  }

  /** By its number in the log. */
  getAuditLogRecord(
    workspaceId: string,
    sequence: number | string,
    options: CallOptions = {},
  ): Answer<AuditLogRecord> {
    return this.read(auditRecordPath(workspaceId, String(sequence)), options);
  }

  /** The secret is in this answer and in no other: where it is null, the answer was lost, and `rotateApiKey` gives another. */
  createApiKey(workspaceId: string, body: NewApiKey, options: CallOptions = {}): Answer<CreatedApiKey> {
    return this.command(keysPath(workspaceId), body, options);
  }

  listApiKeys(
    workspaceId: string,
    filters: ApiKeyFilters = {},
    page: PageQuery = {},
    options: CallOptions = {},
  ): Answer<FlatPage<ApiKeyRecord>> {
    return this.read(`${keysPath(workspaceId)}${queryString({ ...filters, ...page })}`, options);
  }

  getApiKey(workspaceId: string, apiKeyId: string, options: CallOptions = {}): Answer<ApiKeyRecord> {
    return this.read(keyPath(workspaceId, apiKeyId), options);
  }

  changeApiKey(
    workspaceId: string,
    apiKeyId: string,
    change: ApiKeyChange,
    options: CallOptions = {},
  ): Answer<ApiKeyRecord> {
    return this.write('PATCH', keyPath(workspaceId, apiKeyId), change, options);
  }

  disableApiKey(workspaceId: string, apiKeyId: string, options: CallOptions = {}): Answer<ApiKeyRecord> {
    return this.command(`${keyPath(workspaceId, apiKeyId)}/disable`, undefined, options);
  }

  enableApiKey(workspaceId: string, apiKeyId: string, options: CallOptions = {}): Answer<ApiKeyRecord> {
    return this.command(`${keyPath(workspaceId, apiKeyId)}/enable`, undefined, options);
  }

  /** For ever. */
  revokeApiKey(workspaceId: string, apiKeyId: string, options: CallOptions = {}): Answer<ApiKeyRecord> {
    return this.command(`${keyPath(workspaceId, apiKeyId)}/revoke`, undefined, options);
  }

  /** A new secret for the same key; the previous one works until its grace ends. */
  rotateApiKey(
    workspaceId: string,
    apiKeyId: string,
    rotation: Rotation = {},
    options: CallOptions = {},
  ): Answer<RotatedApiKey> {
    return this.command(`${keyPath(workspaceId, apiKeyId)}/rotate`, rotation, options);
  }

  /** Closes the grace of a rotation early. */
  endPreviousSecret(workspaceId: string, apiKeyId: string, options: CallOptions = {}): Answer<ApiKeyRecord> {
    return this.write('DELETE', `${keyPath(workspaceId, apiKeyId)}/previous-secret`, undefined, options);
  }

  /** What would become of a rightly signed request, step by step. */
  simulateApiKey(
    workspaceId: string,
    apiKeyId: string,
    body: Simulation,
    options: CallOptions = {},
  ): Answer<SimulationTrace> {
    const path = `${keyPath(workspaceId, apiKeyId)}/simulate`;
    return this.call({ method: 'POST', path, body, repeat: 'read', tokens: ['access'] }, options);
  }
}
