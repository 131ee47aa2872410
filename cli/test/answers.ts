import { type Answer, answerJson } from '../../server/test/support/loopback.ts';

/** As the real server answers, for what it cannot be brought to do. */
export const envelope = (data: object): Answer =>
  answerJson({ version: '1.0.0', timestamp: 1, success: true, code: '2000', message: 'SUCCESS', data });

export const refuse =
  (code: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answerJson({ success: false, code, message: 'no' }, Math.floor(Number(code) / 10))(response);
  };
