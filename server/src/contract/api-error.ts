import type { ErrorCode } from './catalogue.ts';

export type FieldError = { field: string; message: string };

/** An answer that is not a success. Everything in it is shown to the client. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  /** More members of the problem+json form. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Ends the message for those who did not ask for that form. */
  readonly advice: string;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      fields?: readonly FieldError[];
      headers?: Record<string, string>;
      members?: Record<string, unknown>;
      advice?: string;
    } = {},
  ) {
    super(message);
    this.code = code;
    this.fields = options.fields ?? [];
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
    this.advice = options.advice ?? '';
  }
}

/** One line for a person, and the same facts by field for a program. */
export function invalidFields(code: ErrorCode, fields: readonly FieldError[]): ApiError {
  return new ApiError(code, fields.map(({ field, message }) => `${field} ${message}`).join('; '), { fields });
}
