import { Stack, Text } from '@mantine/core';
import type { ApiKeyRecord } from '@portico/sdk/portal';
import { type ReactNode, type SubmitEvent, useRef } from 'react';
import { portal } from '../../session/portal.ts';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { actionLabels } from './actions.ts';
import classes from './dialogs.module.css';
import type { FormProps } from './form-props.ts';
import { toggleKey } from './manager.ts';
import { KeyBand } from './marks.tsx';
import { RotationFacts } from './open-rotation.tsx';

type Props = FormProps & { apiKey: ApiKeyRecord };

const Name = ({ children }: { children: string }) => <span className={classes['strong']}>{children}</span>;

type ConfirmProps = Props & {
  submit: string;
  color?: string;
  /** Does it, and says what was done. */
  work: () => Promise<string>;
  children: ReactNode;
};

/** Says what will happen, and asks. */
function ConfirmForm({ apiKey, manager, attempt, submit, color, work, children }: ConfirmProps) {
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    attempt.run(work, manager.finish);
  };
  return (
    <form onSubmit={onSubmit}>
      <KeyBand mode={apiKey.mode} />
      <Stack gap="sm">{children}</Stack>
      <DialogFoot
        submit={submit}
        {...(color === undefined ? {} : { color })}
        isPending={attempt.isPending}
        error={attempt.error}
        onCancel={manager.close}
      />
    </form>
  );
}

const consequences = {
  disable: 'is refused from its next call on, until you enable it again.',
  enable: 'works again from its next call on, with the same secret.',
};

export function ToggleForm({ action, ...props }: Props & { action: 'disable' | 'enable' }) {
  const { apiKey, manager } = props;
  return (
    <ConfirmForm
      {...props}
      submit={actionLabels[action]}
      {...(action === 'disable' ? { color: 'red.9' } : {})}
      work={() => toggleKey(manager.workspaceId, action, apiKey)}
    >
      <Text size="sm">
        <Name>{apiKey.name}</Name> {consequences[action]}
      </Text>
    </ConfirmForm>
  );
}

export function EndForm(props: Props) {
  const { apiKey, manager } = props;
  // Another reading of the key may no longer have it.
  const { current: shown } = useRef(apiKey);
  const end = async () => {
    await portal.endPreviousSecret(manager.workspaceId, shown.apiKeyId);
    return `The old secret of ${shown.name} has ended`;
  };
  return (
    <ConfirmForm {...props} submit={actionLabels.end} color="red.9" work={end}>
      <Text size="sm">
        The old secret of <Name>{shown.name}</Name> stops working at once. Calls that are still signed with it
        are refused.
      </Text>
      <RotationFacts apiKey={shown} />
    </ConfirmForm>
  );
}
