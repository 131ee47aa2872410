/** What a script may rely on; the help text shows these very lines. */
export const exitCodes = {
  ok: { code: 0, meaning: 'it worked' },
  refused: { code: 1, meaning: 'the server refused, or a check failed' },
  usage: { code: 2, meaning: 'wrong usage, or something is not configured' },
  connection: { code: 3, meaning: 'no connection to the server, or to the database' },
} as const;

/** Ends the program with one line for a person. */
export class Failure extends Error {
  readonly exitCode: number;

  constructor(message: string, outcome: keyof typeof exitCodes) {
    super(message);
    this.exitCode = exitCodes[outcome].code;
  }
}

export const wrongUsage = (message: string) => new Failure(message, 'usage');
export const failedCheck = (message: string) => new Failure(message, 'refused');
