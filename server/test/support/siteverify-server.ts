import { type Answer, answerJson, listenOnLoopback, readText } from './loopback.ts';

type Form = {
  secret?: string;
  response?: string;
  remoteip?: string;
  idempotency_key?: string;
};

export type SiteverifyServer = {
  url: string;
  /** Every verification that was asked for, oldest first. */
  forms: Form[];
  /** The next answers, in order; then tokens are judged again as the provider would. */
  answerNext(...answers: Answer[]): void;
  /** When the challenge was solved, for answers that are successes. */
  solvedAt(ms: () => number): void;
  close(): Promise<void>;
};

export const solved = (at: number, more: object = {}) =>
  answerJson({
    success: true,
    challenge_ts: new Date(at).toISOString(),
    hostname: '127.0.0.1',
    'error-codes': [],
    ...more,
  });

export const refused = (...codes: string[]) => answerJson({ success: false, 'error-codes': codes });

/** Speaks siteverify: a token is good once, and again only under the same idempotency key. */
export async function startSiteverify(): Promise<SiteverifyServer> {
  const forms: Form[] = [];
  const spent = new Map<string, string | undefined>();
  let scripted: Answer[] = [];
  let solvedAt: () => number = Date.now;
  const judge = ({ response = '', idempotency_key: key }: Form): Answer => {
    if (spent.has(response) && spent.get(response) !== key) return refused('timeout-or-duplicate');
    spent.set(response, key);
    return solved(solvedAt());
  };
  const server = await listenOnLoopback(async (request, response) => {
    const form = JSON.parse(await readText(request)) as Form; // what the service sends is what the tests look at
    forms.push(form);
    (scripted.shift() ?? judge(form))(response);
  });
  return {
    url: `${server.origin}/siteverify`,
    forms,
    answerNext: (...answers) => {
      scripted = answers;
    },
    solvedAt: (ms) => {
      solvedAt = ms;
    },
    close: server.close,
  };
}
