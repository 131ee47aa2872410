import { Box, Button } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { basePath } from '../../session/base-path.ts';
import { useInWorkspace } from '../../session/workspace.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/section.tsx';
import { firstCallWords as words } from '../../words/overview.tsx';
import classes from './first-call.module.css';
import type { FirstCall } from './use-first-call.ts';

/** The secret is asked for and not shown. */
const commandsOf = (apiKeyId: string) =>
  `export PORTICO_URL=${location.origin}${basePath}
export PORTICO_KEY_ID=${apiKeyId}
read -rs PORTICO_SECRET && export PORTICO_SECRET
npx portico call GET /api/v1/whoami`;

function Step({ isDone, title, children }: { isDone: boolean; title: string; children: ReactNode }) {
  const Icon = isDone ? IconCircleCheck : IconCircle;
  return (
    <li className={classes['step']} data-done={isDone || undefined}>
      <Icon size={24} stroke={1.7} role="img" aria-label={isDone ? words.done : words.open} />
      <div className={classes['text']}>
        <h3 className={classes['title']}>{title}</h3>
        {children}
      </div>
    </li>
  );
}

function Commands({ apiKeyId }: { apiKeyId: string }) {
  const code = commandsOf(apiKeyId);
  return (
    <div className={classes['commands']}>
      <Box component="pre" role="region" aria-label={words.commands} tabIndex={0}>
        {code}
      </Box>
      <CopyButton value={code} what={words.copy} />
    </div>
  );
}

function Steps({ state, isOwner }: { state: FirstCall; isOwner: boolean }) {
  const inWorkspace = useInWorkspace();
  const { apiKeyId, calls, passed } = state;
  const hasKey = apiKeyId !== undefined || calls > 0;
  return (
    <ol className={classes['steps']} aria-live="polite">
      <Step isDone={hasKey} title={words.create}>
        {hasKey ? null : <p>{isOwner ? words.createAbout : words.createAsk}</p>}
        {hasKey || !isOwner ? null : (
          <Button component={Link} size="xs" href={inWorkspace('/api-keys', { mode: 'TEST' })}>
            {words.createLink}
          </Button>
        )}
      </Step>
      <Step isDone={calls > 0} title={words.sign}>
        {calls > 0 ? null : (
          <>
            <p>{words.signAbout}</p>
            <Commands apiKeyId={apiKeyId ?? 'ak_test_…'} />
            <Link className={classes['link']} href={inWorkspace('/developers')}>
              {words.samples}
            </Link>
          </>
        )}
      </Step>
      <Step isDone={passed > 0} title={words.see}>
        {passed > 0 ? null : <p>{calls > 0 ? words.wasRefused : words.seeAbout}</p>}
        {calls > 0 ? (
          <Link className={classes['link']} href={inWorkspace('/requests', { mode: state.mode })}>
            {words.requests}
          </Link>
        ) : null}
      </Step>
    </ol>
  );
}

type Props = { state: FirstCall; isOwner: boolean; onClose(): void };

/** The way to the first signed call, for a workspace that never made one. It stays until it is closed, to be seen done. */
export function FirstCallChecklist({ state, isOwner, onClose }: Props) {
  const isDone = state.passed > 0;
  const close = (
    <Button variant="default" size="xs" onClick={onClose}>
      {words.close}
    </Button>
  );
  return (
    <Section
      title={words.title}
      description={isDone ? words.doneAbout : words.about}
      actions={isDone ? close : null}
    >
      <Steps state={state} isOwner={isOwner} />
    </Section>
  );
}
