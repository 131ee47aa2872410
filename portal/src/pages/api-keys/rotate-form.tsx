import { Button, Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import { type ApiKeyRecord, PorticoError } from '@portico/sdk/portal';
import { type SubmitEvent, useEffect, useState } from 'react';
import { portal } from '../../session/portal.ts';
import { Caution } from '../../ui/caution.tsx';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { formatExact } from '../../ui/format.ts';
import { actionLabels, currentSecretOf, oldSecretOf } from './actions.ts';
import classes from './dialogs.module.css';
import type { IssuingProps } from './form-props.ts';
import { useKey } from './list.ts';
import type { Manager } from './manager.ts';
import { KeyBand } from './marks.tsx';
import { LastUse, RotationFacts } from './open-rotation.tsx';

const graces = [
  { value: '0', label: 'None: the current secret stops at once' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

function consequence(graceSeconds: number): string {
  if (graceSeconds === 0)
    return 'The current secret stops working the moment you rotate. Calls that are still signed with it are refused.';
  const end = new Date(Date.now() + graceSeconds * 1000).toISOString();
  return `Both secrets work until ${formatExact(end)}; then only the new one does. Put the new secret into your programs before that.`;
}

type Props = IssuingProps & { apiKey: ApiKeyRecord };

/** Nothing can be begun while the rotation before it is open. */
function AlreadyOpen({ apiKey, manager }: Pick<Props, 'apiKey' | 'manager'>) {
  return (
    <>
      <Caution role="alert" title="A rotation is already open">
        Two secrets of this key work, and a third is refused. Wait until the old one ends, or end it now.
        <RotationFacts apiKey={apiKey} />
      </Caution>
      <Group justify="flex-end" gap="sm" mt="lg">
        <Button variant="default" onClick={manager.close}>
          Cancel
        </Button>
        <Button color="red.9" onClick={() => manager.act('end', apiKey, null)}>
          {actionLabels.end}
        </Button>
      </Group>
    </>
  );
}

function Summary({ apiKey, graceSeconds }: { apiKey: ApiKeyRecord; graceSeconds: number }) {
  return (
    <dl className={classes['facts']}>
      <dt>Key</dt>
      <dd className={classes['strong']}>{apiKey.name}</dd>
      <dt>Current secret</dt>
      <dd>
        Version {apiKey.secretVersion}, <LastUse at={currentSecretOf(apiKey)?.lastUsedAt ?? null} />
      </dd>
      <dt>What happens</dt>
      <dd>The key keeps its id and gets a new secret. {consequence(graceSeconds)}</dd>
    </dl>
  );
}

function GraceField({ grace, onChange }: { grace: string; onChange: (grace: string) => void }) {
  return (
    <NativeSelect
      data-autofocus
      label="Grace period"
      description="How long the current secret goes on working beside the new one"
      value={grace}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={graces}
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
            label="I understand that this changes a LIVE key"
            checked={isSure}
            onChange={({ currentTarget }) => setSure(currentTarget.checked)}
          />
        ) : null}
      </Stack>
      <DialogFoot
        submit={actionLabels.rotate}
        isOff={isLive && !isSure}
        isPending={attempt.isPending}
        error={attempt.error}
        errorTitle={
          isOpen ? 'A rotation is already open: wait until its old secret ends, or end it' : undefined
        }
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
