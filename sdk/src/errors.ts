import type { FieldError, Problem } from './envelope.ts';

export type ErrorDetails = {
  status?: number | undefined;
  code?: string | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  problem?: Problem | undefined;
  response?: Response | undefined;
  cause?: unknown;
};

/** Whatever goes wrong with a call is one of these. */
export class PorticoError extends Error {
  /** Of the HTTP answer; undefined when there was none. */
  readonly status: number | undefined;
  /** As in the catalogue of errors; undefined when the answer is not Portico's. */
  readonly code: string | undefined;
  /** Finds the request in the service's log. */
  readonly requestId: string | undefined;
  /** What was wrong with each field; empty when no field is at fault. */
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;
  readonly #problem: Problem | undefined;
  readonly #response: Response | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.fields = details.problem?.errors ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.#problem = details.problem;
    this.#response = details.response;
  }

  /** The whole answer, as RFC 9457 has it; a wrong signature of a TEST key has a member stringToSign. */
  get problem(): (Problem & { readonly [member: string]: unknown }) | undefined {
    return this.#problem;
  }

  /** Its body has been read. */
  get response(): Response | undefined {
    return this.#response;
  }

  static {
    PorticoError.prototype.name = 'PorticoError';
  }
}

/** 4010, 4017 and 4018: the token or the password is wrong, or a code of the second factor is wanted. */
export class AuthenticationError extends PorticoError {
  static {
    AuthenticationError.prototype.name = 'AuthenticationError';
  }
}

/** 4011 and 4012: the headers are misshaped, the key is unknown or the signature is wrong. */
export class SignatureError extends PorticoError {
  static {
    SignatureError.prototype.name = 'SignatureError';
  }
}

/** 4013: the timestamp is too far from the service's clock. */
export class ClockError extends PorticoError {
  /** The service's time in epoch seconds. */
  get serverTime(): number | undefined {
    const seconds = /\b[0-9]{10}\b/.exec(this.message)?.[0];
    return seconds === undefined ? undefined : Number(seconds);
  }

  static {
    ClockError.prototype.name = 'ClockError';
  }
}

/** 4014: the nonce was used before. */
export class ReplayError extends PorticoError {
  static {
    ReplayError.prototype.name = 'ReplayError';
  }
}

/** 4015 and 4016: the key is disabled, revoked or expired. */
export class KeyStatusError extends PorticoError {
  static {
    KeyStatusError.prototype.name = 'KeyStatusError';
  }
}

/** 400: a value is missing or invalid; fields says which. */
export class InvalidInputError extends PorticoError {
  static {
    InvalidInputError.prototype.name = 'InvalidInputError';
  }
}

/** 403. */
export class ForbiddenError extends PorticoError {
  static {
    ForbiddenError.prototype.name = 'ForbiddenError';
  }
}

/** 404. */
export class NotFoundError extends PorticoError {
  static {
    NotFoundError.prototype.name = 'NotFoundError';
  }
}

/** 409. */
export class ConflictError extends PorticoError {
  static {
    ConflictError.prototype.name = 'ConflictError';
  }
}

/** 429; retryAfterSeconds says when to try again. */
export class RateLimitError extends PorticoError {
  static {
    RateLimitError.prototype.name = 'RateLimitError';
  }
}

/** 5xx: of Portico or of what stands before it. */
export class UnavailableError extends PorticoError {
  static {
    UnavailableError.prototype.name = 'UnavailableError';
  }
}

/** No answer: the connection failed, broke off or took too long. */
export class NetworkError extends PorticoError {
  static {
    NetworkError.prototype.name = 'NetworkError';
  }
}
