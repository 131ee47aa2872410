import type { AuditAction, InvitationStatus, KeyStatus, Mode, Scope } from '../catalogues.ts';

/** Times are ISO 8601 in UTC. What is sent may come from a form or an address bar and is any text; the service judges it. */

export type Login = {
  email: string;
  password: string;
  /** Of the second factor, or a recovery code; asked for with 4018. */
  code?: string;
  /** `cookie`: the refresh token is kept in an HttpOnly cookie and not in the answer. */
  session?: string;
};

/** Empty in a cookie session. */
export type RefreshRequest = { refreshToken?: string };

export type Tokens = {
  accessToken: string;
  tokenType: 'Bearer';
  /** Seconds. */
  expiresIn: number;
  /** Absent in a cookie session. */
  refreshToken?: string;
  /** Seconds. */
  refreshExpiresIn: number;
  /** In a cookie session alone. */
  me?: Me;
};

/** What the program calls itself is shown to who confirms; up to 64 characters. */
export type NewDeviceSignIn = { clientName?: string };

export type DeviceSignIn = {
  /** What the program polls with, and shows to nobody. */
  deviceCode: string;
  /** What the person compares or types. */
  userCode: string;
  verificationUri: string;
  verificationUriComplete: string;
  /** Seconds. */
  expiresIn: number;
  /** Seconds between two polls. */
  interval: number;
};

export type DeviceCode = { deviceCode: string };

/** Small letters, and without the dash, are taken too. */
export type UserCode = { userCode: string };

/** Who asks to be signed in. Anyone can give themselves any name. */
export type AskingDevice = {
  clientName: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  requestedAt: string;
  expiresAt: string;
};

export type OwnAccount = { bizId: string; email: string; name: string; locale: string };
export type OwnInstitution = { bizId: string; name: string };
export type OwnWorkspace = { bizId: string; name: string; institutionBizId: string; role: string };

export type Me = { account: OwnAccount; institutions: OwnInstitution[]; workspaces: OwnWorkspace[] };

export type OpenIdConnectOffer = { label: string };
export type OpenIdConnectInvitation = { invitation: string };
export type OpenIdConnectStart = { url: string };
/** The accounts of the demo, which have one published password. */
export type DemoWorld = { accounts: string[]; password: string };

export type SignInConfig = {
  turnstileSiteKey: string | null;
  /** PARTNER, INSTITUTION or ADMIN. Only PARTNER makes TEST keys. */
  portal: string | null;
  /** The provider at which one can sign in, by the address that openIdConnectUrl gives. */
  openIdConnect: OpenIdConnectOffer | null;
  /** Whom one can be in the demo; null: this is no demo. */
  demo: DemoWorld | null;
  /** A link to set the password anew can be mailed. */
  hasPasswordReset: boolean;
};

export type PasswordResetRequest = { email: string };

/** The token is what the link carries behind #. */
export type PasswordReset = { token: string; newPassword: string };

/** The own account. */
export type AccountRecord = {
  accountId: string;
  email: string;
  name: string;
  /** en or zh-CN. */
  locale: string;
  hasSecondFactor: boolean;
  createdAt: string;
};

/** What is absent stays as it is. */
export type AccountChange = { name?: string; locale?: string };

export type PasswordChange = { currentPassword: string; newPassword: string };

/** A sign-in that is open. */
export type SessionRecord = {
  sessionId: string;
  createdAt: string;
  lastSeenAt: string;
  ipAddress: string | null;
  userAgent: string | null;
  isCurrent: boolean;
};

/** In this answer and in no other; null when an earlier attempt of the call had made it, and its answer was lost. */
export type NewSecondFactor = { secret: string | null; otpauthUri: string | null };

/** Of the second factor, or a recovery code. */
export type SecondFactorCode = { code: string };

/** In this answer and in no other; null when an earlier attempt of the call had confirmed, and its answer was lost. */
export type RecoveryCodes = { recoveryCodes: string[] | null };

export type ErrorEntry = {
  code: string;
  alias?: string;
  httpStatus: number;
  name: string;
  description: string;
};

export type NewApiKey = {
  name: string;
  /** Empty: the key may do nothing. */
  scopes?: string[];
  /** 1 LIVE, the default; 2 TEST. */
  mode?: number;
  /** Empty: from anywhere. */
  ipWhitelist?: string[];
  /** Null, the default: it has no end. */
  expiresAt?: string | null;
};

/** What is absent stays as it is; a null expiresAt removes the end. */
export type ApiKeyChange = {
  name?: string;
  scopes?: string[];
  ipWhitelist?: string[];
  expiresAt?: string | null;
};

/** How long the previous secret goes on working; default a day. */
export type Rotation = { graceSeconds?: number };

export type CreatedApiKey = {
  apiKeyId: string;
  /** In this answer and in no other; null when an earlier attempt of the call had made the key, and its answer was lost. */
  secret: string | null;
  name: string;
  status: KeyStatus;
  mode: Mode;
  scopes: Scope[];
  ipWhitelist: string[];
  createdAt: string;
};

export type RotatedApiKey = CreatedApiKey;

export type ApiKeyRecord = {
  apiKeyId: string;
  name: string;
  mode: Mode;
  scopes: Scope[];
  ipWhitelist: string[];
  createdAt: string;
  status: KeyStatus;
  expiresAt: string | null;
  lastUsedAt: string | null;
  lastUsedIp: string | null;
  secretVersion: number;
  previousSecretExpiresAt: string | null;
  secrets: { version: number; lastUsedAt: string | null }[];
};

/** One thing that was done. */
export type AuditLogRecord = {
  auditId: string;
  sequence: number;
  occurredAt: string;
  actorType: string;
  actorId: string;
  actorName: string;
  action: AuditAction;
  subjectType: string;
  subjectId: string;
  /** By field; secrets appear as "(secret)". */
  changes: { [field: string]: { from: unknown; to: unknown } };
  ipAddress: string | null;
  requestId: string | null;
  hash: string;
};

export type AuditLogFilters = {
  action?: string;
  actorId?: string;
  subjectId?: string;
  /** Inclusive. */
  occurredFrom?: string;
  /** Exclusive. */
  occurredTo?: string;
};

export type ApiKeyFilters = { status?: string; mode?: string };

export type Simulation = {
  method: string;
  path: string;
  ip: string;
  /** Now unless given. */
  at?: string;
};

export type SimulationTrace = {
  allowed: boolean;
  code: string | null;
  steps: { step: string; passed: boolean; code: string | null; message: string }[];
};

export type MemberRecord = {
  accountId: string;
  email: string;
  name: string;
  role: string;
  status: string;
  /** Null: not yet. */
  lastSignInAt: string | null;
  joinedAt: string;
};

export type MemberFilters = { role?: string; status?: string };

export type MemberChange = { role: string };

export type NewInvitation = { email: string; role: string };

export type CreatedInvitation = {
  invitationId: string;
  email: string;
  role: string;
  status: InvitationStatus;
  expiresAt: string;
  /** The link to hand over. Null: it went out by mail, or the answer of an earlier attempt was lost; then invite anew. */
  url: string | null;
};

export type InvitationRecord = {
  invitationId: string;
  email: string;
  role: string;
  status: InvitationStatus;
  /** Null: the operator of the service. */
  inviterName: string | null;
  createdAt: string;
  expiresAt: string;
};

export type InvitationFilters = { status?: string };

/** What stands behind # in the link. */
export type InvitationToken = { token: string };

export type InvitationView = {
  email: string;
  role: string;
  workspaceName: string;
  institutionName: string;
  inviterName: string | null;
  expiresAt: string;
  /** The address has an account, which then signs in to accept. */
  hasAccount: boolean;
};

/** With an access token the token of the link is enough; without one, name and password make an account. */
export type Acceptance = {
  token: string;
  name?: string;
  password?: string;
  locale?: string;
  /** `cookie`: the refresh token is kept in an HttpOnly cookie and not in the answer. */
  session?: string;
};

/** Tokens are there when an account was made, which is signed in with them. */
export type AcceptedInvitation = {
  accountId: string;
  workspaceId: string;
  role: string;
} & Partial<Tokens>;
