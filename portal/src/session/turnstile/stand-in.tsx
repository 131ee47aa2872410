import { Checkbox, Loader, Paper, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { turnstileWords } from '../../words/session.tsx';
import type { TurnstileKeeper } from './keeper.ts';
import { type Challenge, dummyToken } from './site-key.ts';
import classes from './stand-in.module.css';

type Phase = 'asking' | 'checking' | 'solved' | 'failed';
type Props = { challenge: Exclude<Challenge, 'cloudflare'>; keeper: TurnstileKeeper; isVisible: boolean };

/** Long enough to be seen, where it is seen. */
const checkMs = 300;
const expiresAfterMs = 300_000;

const marks: Record<Exclude<Phase, 'asking'>, ReactNode> = {
  checking: <Loader size={20} />,
  solved: <IconCircleCheckFilled size={22} className={classes['solved']} aria-hidden />,
  failed: <IconAlertTriangle size={22} className={classes['failed']} aria-hidden />,
};

function usePhase({ challenge, keeper, isVisible }: Props) {
  const first: Phase = challenge === 'interactive' ? 'asking' : 'checking';
  const [phase, setPhase] = useState<Phase>(first);
  const restart = useCallback(() => setPhase(first), [first]);
  useEffect(() => keeper.attach(restart), [keeper, restart]);
  useEffect(() => {
    if (phase === 'checking') {
      const finish = () => setPhase(challenge === 'fails' ? 'failed' : 'solved');
      const timer = setTimeout(finish, isVisible ? checkMs : 0);
      return () => clearTimeout(timer);
    }
    if (phase === 'failed') keeper.failed();
    if (phase !== 'solved') return undefined;
    keeper.solved(dummyToken);
    const timer = setTimeout(() => {
      keeper.expired();
      restart();
    }, expiresAfterMs);
    return () => clearTimeout(timer);
  }, [phase, challenge, keeper, isVisible, restart]);
  return { phase, check: () => setPhase('checking') };
}

/** Stands where Cloudflare's widget would, and asks nobody: for its dummy site keys. */
export function StandIn(props: Props) {
  const { isVisible } = props;
  const { phase, check } = usePhase(props);
  if (!isVisible && phase !== 'asking') return null;
  return (
    <Paper withBorder className={classes['box']} data-floating={!isVisible || undefined}>
      {phase === 'asking' ? (
        <Checkbox label={turnstileWords.asking} checked={false} onChange={check} />
      ) : (
        <>
          <span className={classes['mark']}>{marks[phase]}</span>
          <Text size="sm" role="status">
            {turnstileWords[phase]}
          </Text>
        </>
      )}
      <Text size="xs" c="dimmed" className={classes['note']}>
        {turnstileWords.testMode}
      </Text>
    </Paper>
  );
}
