import { Button, Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import { type ApiKeyRecord, PorticoError } from '@portico/sdk/portal';
import { type SubmitEvent, useEffect, useState } from 'react';
import { portal } from '../../session/portal.ts';
import { Caution } from '../../ui/caution.tsx';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { formatExact } from '../../ui/time.ts';
import { secretWords } from '../../words/api-keys.tsx';
import { uiWords } from '../../words/ui.ts';
import { actionLabel, currentSecretOf, oldSecretOf } from './actions.ts';
import classes from './dialogs.module.css';
import type { IssuingProps } from './form-props.ts';
import { useKey } from './list.ts';
import type { Manager } from './manager.ts';
import { KeyBand } from './marks.tsx';
import { LastUse, RotationFacts } from './open-rotation.tsx';

const graces = () => [
  { value: '0', label: secretWords.graceNone },
  { value: '3600', label: secretWords.graceHour },
  { value: '86400', label: secretWords.graceDay },
  { value: '604800', label: secretWords.graceWeek },
  { value: '2592000', label: secretWords.graceMonth },
];

function consequence(graceSeconds: number): string {
  if (graceSeconds === 0) return secretWords.stopsAtOnce;
  const end = new Date(Date.now() + graceSeconds * 1000).toISOString();
  return secretWords.bothUntil(formatExact(end));
}

type Props = IssuingProps & { apiKey: ApiKeyRecord };

/** Nothing can be begun while the rotation before it is open. */
function AlreadyOpen({ apiKey, manager }: Pick<Props, 'apiKey' | 'manager'>) {
  return (
    <>
      <Caution role="alert" title={secretWords.alreadyOpen}>
        {secretWords.alreadyOpenAbout}
        <RotationFacts apiKey={apiKey} />
      </Caution>
      <Group justify="flex-end" gap="sm" mt="lg">
        <Button variant="default" onClick={manager.close}>
          {uiWords.cancel}
        </Button>
        <Button color="red.9" onClick={() => manager.act('end', apiKey, null)}>
          {actionLabel('end')}
        </Button>
      </Group>
    </>
  );
}

function Summary({ apiKey, graceSeconds }: { apiKey: ApiKeyRecord; graceSeconds: number }) {
  return (
    <dl className={classes['facts']}>
      <dt>{secretWords.key}</dt>
      <dd className={classes['strong']}>
        <GivenName>{apiKey.name}</GivenName>
      </dd>
      <dt>{secretWords.current}</dt>
      <dd>
        {secretWords.version(
          apiKey.secretVersion,
          <LastUse at={currentSecretOf(apiKey)?.lastUsedAt ?? null} />,
        )}
      </dd>
      <dt>{secretWords.whatHappens}</dt>
      <dd>{secretWords.getsNew(consequence(graceSeconds))}</dd>
    </dl>
  );
}

function GraceField({ grace, onChange }: { grace: string; onChange: (grace: string) => void }) {
  return (
    <NativeSelect
      data-autofocus
      label={secretWords.grace}
      description={secretWords.graceAbout}
      value={grace}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={graces()}
    />
  );
}

/** Someone else began a rotation: what is then known of it replaces the form. */
function useOpenedMeanwhile(error: unknown, { refresh }: Manager): boolean {
  const isOpen = error instanceof PorticoError && error.code === '4092';
  useEffect(() => {
    if (isOpen) void refresh();
  }, [isOpen, refresh]);
  return isOpen;
}

function GraceForm({ apiKey, manager, attempt, onIssued }: Props) {
  const [grace, setGrace] = useState('86400');
  const [isSure, setSure] = useState(false);
  const isLive = apiKey.mode === 'LIVE';
  const isOpen = useOpenedMeanwhile(attempt.error, manager);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const rotation = { graceSeconds: Number(grace) };
    attempt.run(
      () => portal.rotateApiKey(manager.workspaceId, apiKey.apiKeyId, rotation),
      (key) => onIssued({ how: 'rotated', key }),
    );
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        <GraceField grace={grace} onChange={setGrace} />
        <Summary apiKey={apiKey} graceSeconds={Number(grace)} />
        {isLive ? (
          <Checkbox
            label={secretWords.sure}
            checked={isSure}
            onChange={({ currentTarget }) => setSure(currentTarget.checked)}
          />
        ) : null}
      </Stack>
      <DialogFoot
        submit={actionLabel('rotate')}
        isOff={isLive && !isSure}
        isPending={attempt.isPending}
        error={attempt.error}
        errorTitle={isOpen ? secretWords.alreadyOpenTitle : undefined}
        onCancel={manager.close}
      />
    </form>
  );
}

/** The first step of a rotation; the second shows the new secret. */
export function RotateForm({ known, ...props }: IssuingProps & { known: ApiKeyRecord }) {
  const { data = known } = useKey(props.manager.workspaceId, known.apiKeyId, known);
  const isOpen = oldSecretOf(data) !== undefined;
  return (
    <>
      <KeyBand mode={data.mode} />
      {isOpen ? (
        <AlreadyOpen apiKey={data} manager={props.manager} />
      ) : (
        <GraceForm apiKey={data} {...props} />
      )}
    </>
  );
}
