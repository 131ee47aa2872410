import { formatBytes, formatExact, formatExactBytes, formatRelative } from './format.ts';
import { Hint } from './hint.tsx';

export function Moment({ at }: { at: string }) {
  return (
    <Hint exact={formatExact(at)}>
      <time dateTime={at}>{formatRelative(at, Date.now())}</time>
    </Hint>
  );
}

export function Bytes({ count }: { count: number }) {
  return <Hint exact={formatExactBytes(count)}>{formatBytes(count)}</Hint>;
}
