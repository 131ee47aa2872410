import type { FlatPage, PageQuery } from '../envelope.ts';
import { exchange, queryString, readBaseUrl, type Wire, wireOf } from '../exchange.ts';
import type { ChannelType, ChannelTypeQuery, FileRecord } from '../records.ts';
import { type Repeat, type RetryPolicy, retryPolicyOf, withRetries } from '../retry.ts';
import type {
  ApiKeyChange,
  ApiKeyFilters,
  ApiKeyRecord,
  CreatedApiKey,
  ErrorEntry,
  FileFilters,
  Login,
  Me,
  NewApiKey,
  RefreshRequest,
  RotatedApiKey,
  Rotation,
  SignInConfig,
  Simulation,
  SimulationTrace,
  Tokens,
} from './records.ts';

/** A token, or where to find the one that is valid now. */
export type TokenSource = string | (() => string | undefined | Promise<string | undefined>);

export type PorticoPortalOptions = {
  /** With the base path, if there is one; in a browser it may be relative to the origin of the page. */
  baseUrl: string;
  fetch?: typeof fetch;
  accessToken?: TokenSource;
  turnstileToken?: TokenSource;
  /** For each attempt, the body included; default 10000. */
  timeoutMs?: number;
  /** How often a failed read is tried again; default 3. */
  retries?: number;
  sleep?: (ms: number) => Promise<void>;
};

type Call = {
  method: string;
  path: string;
  repeat: Repeat;
  body?: object;
  /** Without a token. */
  isOpen?: boolean;
  turnstile?: boolean;
};

function segment(name: string, value: string): string {
  // A URL would take these for steps between folders, and lead to another endpoint.
  if (value === '' || value === '.' || value === '..') throw new TypeError(`${name} is not an identifier`);
  return encodeURIComponent(value);
}

function keysPath(workspaceId: string): string {
  return `/web/v1/workspaces/${segment('workspaceId', workspaceId)}/api-keys`;
}

function keyPath(workspaceId: string, apiKeyId: string): string {
  return `${keysPath(workspaceId)}/${segment('apiKeyId', apiKeyId)}`;
}

async function tokenOf(source: TokenSource | undefined): Promise<string | undefined> {
  return typeof source === 'function' ? source() : source;
}

/** A client of the portal's endpoints, for browsers too. It keeps no token: it asks for one at each call. */
export class PorticoPortal {
  readonly #baseUrl: string;
  readonly #wire: Wire;
  readonly #policy: RetryPolicy;
  readonly #accessToken: TokenSource | undefined;
  readonly #turnstileToken: TokenSource | undefined;

  constructor(options: PorticoPortalOptions) {
    this.#baseUrl = readBaseUrl(options.baseUrl);
    this.#wire = wireOf(options);
    this.#policy = retryPolicyOf(options);
    this.#accessToken = options.accessToken;
    this.#turnstileToken = options.turnstileToken;
  }

  login(body: Login): Promise<Tokens> {
    const path = '/web/v1/auth/login';
    return this.#call({ method: 'POST', path, body, repeat: 'once', isOpen: true, turnstile: true });
  }

  /** Without a body, of the session in the cookie. */
  refresh(body: RefreshRequest = {}): Promise<Tokens> {
    return this.#call({ method: 'POST', path: '/web/v1/auth/refresh', body, repeat: 'once', isOpen: true });
  }

  /** Without a body, of the session in the cookie. */
  async logout(body: RefreshRequest = {}): Promise<void> {
    await this.#call({ method: 'POST', path: '/web/v1/auth/logout', body, repeat: 'once' });
  }

  me(): Promise<Me> {
    return this.#read('/web/v1/auth/me');
  }

  signInConfig(): Promise<SignInConfig> {
    return this.#call({ method: 'GET', path: '/web/v1/auth/config', repeat: 'read', isOpen: true });
  }

  /** Every error the service can answer. */
  async errors(): Promise<ErrorEntry[]> {
    return (await this.#read<{ errors: ErrorEntry[] }>('/web/v1/errors')).errors;
  }

  listFiles(filters: FileFilters, page: PageQuery = {}): Promise<FlatPage<FileRecord>> {
    return this.#query('/web/v1/files/query/list', filters, page);
  }

  queryChannelTypes(filters: ChannelTypeQuery = {}, page: PageQuery = {}): Promise<FlatPage<ChannelType>> {
    return this.#query('/web/v1/notification-channel-types/query', filters, page);
  }

  /** The secret is in this answer and in no other. */
  createApiKey(workspaceId: string, body: NewApiKey): Promise<CreatedApiKey> {
    return this.#write('POST', keysPath(workspaceId), body);
  }

  listApiKeys(
    workspaceId: string,
    filters: ApiKeyFilters = {},
    page: PageQuery = {},
  ): Promise<FlatPage<ApiKeyRecord>> {
    return this.#read(`${keysPath(workspaceId)}${queryString({ ...filters, ...page })}`);
  }

  getApiKey(workspaceId: string, apiKeyId: string): Promise<ApiKeyRecord> {
    return this.#read(keyPath(workspaceId, apiKeyId));
  }

  changeApiKey(workspaceId: string, apiKeyId: string, change: ApiKeyChange): Promise<ApiKeyRecord> {
    return this.#write('PATCH', keyPath(workspaceId, apiKeyId), change);
  }

  disableApiKey(workspaceId: string, apiKeyId: string): Promise<ApiKeyRecord> {
    return this.#write('POST', `${keyPath(workspaceId, apiKeyId)}/disable`);
  }

  enableApiKey(workspaceId: string, apiKeyId: string): Promise<ApiKeyRecord> {
    return this.#write('POST', `${keyPath(workspaceId, apiKeyId)}/enable`);
  }

  /** For ever. */
  revokeApiKey(workspaceId: string, apiKeyId: string): Promise<ApiKeyRecord> {
    return this.#write('POST', `${keyPath(workspaceId, apiKeyId)}/revoke`);
  }

  /** A new secret for the same key; the previous one works until its grace ends. */
  rotateApiKey(workspaceId: string, apiKeyId: string, rotation: Rotation = {}): Promise<RotatedApiKey> {
    return this.#write('POST', `${keyPath(workspaceId, apiKeyId)}/rotate`, rotation);
  }

  /** Closes the grace of a rotation early. */
  endPreviousSecret(workspaceId: string, apiKeyId: string): Promise<ApiKeyRecord> {
    return this.#write('DELETE', `${keyPath(workspaceId, apiKeyId)}/previous-secret`);
  }

  /** What would become of a rightly signed request, step by step. */
  simulateApiKey(workspaceId: string, apiKeyId: string, request: Simulation): Promise<SimulationTrace> {
    const path = `${keyPath(workspaceId, apiKeyId)}/simulate`;
    return this.#call({ method: 'POST', path, body: request, repeat: 'read' });
  }

  #read<Data>(path: string): Promise<Data> {
    return this.#call({ method: 'GET', path, repeat: 'read' });
  }

  #write<Data>(method: string, path: string, body?: object): Promise<Data> {
    return this.#call({ method, path, repeat: 'write', ...(body === undefined ? {} : { body }) });
  }

  /** A read that is a POST, so that its filters travel in the body. */
  #query<Data>(path: string, filters: object, page: PageQuery): Promise<Data> {
    const target = `${path}${queryString(page)}`;
    return this.#call({ method: 'POST', path: target, body: filters, repeat: 'read', turnstile: true });
  }

  #call<Data>({ method, path, body, repeat, isOpen, turnstile }: Call): Promise<Data> {
    return withRetries(this.#policy, repeat, async () => {
      const accessToken = isOpen ? undefined : await tokenOf(this.#accessToken);
      const turnstileToken = turnstile ? await tokenOf(this.#turnstileToken) : undefined;
      const headers = {
        ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
        ...(turnstileToken === undefined ? {} : { 'X-Turnstile-Token': turnstileToken }),
      };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await exchange<Data>(this.#wire, {
        method,
        url: `${this.#baseUrl}${path}`,
        headers,
        ...sent,
      });
      return answer.data;
    });
  }
}
