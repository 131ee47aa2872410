import { Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { turnstileWords } from '../../words/session.tsx';
import { loadCloudflare } from './cloudflare.ts';
import classes from './cloudflare-widget.module.css';
import type { TurnstileKeeper } from './keeper.ts';

type Props = { siteKey: string; keeper: TurnstileKeeper; isVisible: boolean };

export function CloudflareWidget({ siteKey, keeper, isVisible }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const theme = useComputedColorScheme('light');
  useEffect(() => {
    const place = container.current;
    let leave = () => {};
    let isGone = false;
    const fail = () => {
      setHasFailed(true);
      keeper.failed();
      return true;
    };
    loadCloudflare().then((api) => {
      if (isGone || place === null) return;
      const id = api.render(place, {
        sitekey: siteKey,
        callback: (token) => keeper.solved(token),
        'expired-callback': () => keeper.expired(),
        'error-callback': fail,
        'refresh-expired': 'auto',
        appearance: isVisible ? 'always' : 'interaction-only',
        theme,
      });
      const detach = keeper.attach(() => api.reset(id));
      leave = () => {
        detach();
        api.remove(id);
      };
    }, fail);
    return () => {
      isGone = true;
      leave();
    };
  }, [siteKey, keeper, isVisible, theme]);
  return (
    <>
      <div ref={container} className={isVisible ? undefined : classes['floating']} />
      {hasFailed && isVisible ? (
        <Text size="sm" c="red">
          {turnstileWords.notLoaded}
        </Text>
      ) : null}
    </>
  );
}
