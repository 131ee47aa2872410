import { Stack, Text } from '@mantine/core';
import type { ApiKeyRecord } from '@portico/sdk/portal';
import { type ReactNode, type SubmitEvent, useRef } from 'react';
import { portal } from '../../session/portal.ts';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { keyActionWords } from '../../words/api-keys.tsx';
import { actionLabel } from './actions.ts';
import classes from './dialogs.module.css';
import type { FormProps } from './form-props.ts';
import { toggleKey } from './manager.ts';
import { KeyBand } from './marks.tsx';
import { RotationFacts } from './open-rotation.tsx';

type Props = FormProps & { apiKey: ApiKeyRecord };

const Name = ({ children }: { children: string }) => (
  <span className={classes['strong']}>
    <GivenName>{children}</GivenName>
  </span>
);

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

export function ToggleForm({ action, ...props }: Props & { action: 'disable' | 'enable' }) {
  const { apiKey, manager } = props;
  return (
    <ConfirmForm
      {...props}
      submit={actionLabel(action)}
      {...(action === 'disable' ? { color: 'red.9' } : {})}
      work={() => toggleKey(manager.workspaceId, action, apiKey)}
    >
      <Text size="sm">{keyActionWords[`${action}Means`](<Name>{apiKey.name}</Name>)}</Text>
    </ConfirmForm>
  );
}

export function EndForm(props: Props) {
  const { apiKey, manager } = props;
  // Another reading of the key may no longer have it.
  const { current: shown } = useRef(apiKey);
  const end = async () => {
    await portal.endPreviousSecret(manager.workspaceId, shown.apiKeyId);
    return keyActionWords.ended(visibleText(shown.name));
  };
  return (
    <ConfirmForm {...props} submit={actionLabel('end')} color="red.9" work={end}>
      <Text size="sm">{keyActionWords.endMeans(<Name>{shown.name}</Name>)}</Text>
      <RotationFacts apiKey={shown} />
    </ConfirmForm>
  );
}
