import { Button, Checkbox, Group, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { debuggerWords as words } from '../../words/developers.ts';
import { uiWords } from '../../words/ui.ts';
import { type DebuggedRequest, methods, newNonce, nowSeconds } from './request.ts';
import classes from './request-form.module.css';
import { warningOf } from './warnings.ts';

type Change = (change: Partial<DebuggedRequest>) => void;
type Props = { request: DebuggedRequest; onChange: Change };
type TextField = Exclude<keyof DebuggedRequest, 'isBase64' | 'method'>;

/** Nothing is remembered by the browser, and nothing is sent to a checker of spelling. */
const untold = {
  autoComplete: 'off',
  autoCapitalize: 'off',
  autoCorrect: 'off',
  spellCheck: false,
  'data-1p-ignore': true,
  'data-lpignore': true,
};

/** What every text field of the form has in common. */
function fieldOf({ request, onChange }: Props, field: TextField) {
  return {
    value: request[field],
    error: warningOf(field, request),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ [field]: currentTarget.value }),
    classNames: { input: classes['mono'] ?? '' },
    ...untold,
  };
}

function WithButton({ children, button }: { children: ReactNode; button: ReactNode }) {
  return (
    <div className={classes['withButton']}>
      <div className={classes['grows']}>{children}</div>
      {button}
    </div>
  );
}

function Body(props: Props) {
  const { request, onChange } = props;
  return (
    <div>
      <Textarea
        label={words.body}
        placeholder={words.noBody}
        autosize
        minRows={3}
        maxRows={12}
        {...fieldOf(props, 'body')}
      />
      <Checkbox
        mt={8}
        size="xs"
        label={words.isBase64}
        checked={request.isBase64}
        onChange={({ currentTarget }) => onChange({ isBase64: currentTarget.checked })}
      />
    </div>
  );
}

function Key(props: Props) {
  return (
    <>
      <TextInput label={words.keyId} placeholder="ak_test_…" {...fieldOf(props, 'apiKeyId')} />
      <PasswordInput
        label={words.secret}
        placeholder="sk_test_…"
        description={words.secretAbout}
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ 'aria-label': uiWords.showTyped }}
        {...fieldOf(props, 'secret')}
        classNames={{ innerInput: classes['mono'] ?? '' }}
      />
    </>
  );
}

function Freshness(props: Props) {
  const { onChange } = props;
  return (
    <>
      <WithButton
        button={
          <Button variant="default" onClick={() => onChange({ timestamp: nowSeconds() })}>
            {words.now}
          </Button>
        }
      >
        <TextInput label={words.timestamp} inputMode="numeric" {...fieldOf(props, 'timestamp')} />
      </WithButton>
      <WithButton
        button={
          <Button variant="default" onClick={() => onChange({ nonce: newNonce() })}>
            {words.newNonce}
          </Button>
        }
      >
        <TextInput label={words.nonce} {...fieldOf(props, 'nonce')} />
      </WithButton>
    </>
  );
}

/** The request to sign. */
export function RequestForm(props: Props) {
  const { request, onChange } = props;
  return (
    <div className={classes['form']}>
      <Group gap={12} wrap="nowrap" align="flex-start">
        <NativeSelect
          className={classes['method'] ?? ''}
          label={words.method}
          data={methods}
          value={request.method}
          onChange={({ currentTarget }) => onChange({ method: currentTarget.value })}
        />
        <TextInput className={classes['grows'] ?? ''} label={words.path} {...fieldOf(props, 'path')} />
      </Group>
      <TextInput
        label={words.query}
        placeholder="page=0&size=20&sort=status,desc"
        {...fieldOf(props, 'query')}
      />
      <Body {...props} />
      <Key {...props} />
      <Freshness {...props} />
    </div>
  );
}
