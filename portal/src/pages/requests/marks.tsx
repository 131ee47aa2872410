import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { requestWords as words } from '../../words/requests.ts';

type Outcome = 'passed' | 'refused' | 'failed';

const outcomeOf = (status: number): Outcome =>
  status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'passed';

const tones: Record<Outcome, Tone> = { passed: 'good', refused: 'waiting', failed: 'bad' };

/** What became of a request. */
export function RequestResult({ status }: { status: number }) {
  const outcome = outcomeOf(status);
  return <StatusBadge status={words[outcome]} tone={tones[outcome]} />;
}

/** Whether an endpoint was found; where there is none, the path is not kept either. */
export const hasRoute = ({ route }: { route: string }): boolean => route.startsWith('/');

/** "GET /api/v1/transfers". */
export const askedText = (request: { method: string; route: string }): string =>
  `${request.method} ${hasRoute(request) ? request.route : words.unknownRoute}`;
