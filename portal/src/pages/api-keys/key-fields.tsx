import { Checkbox, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatName } from '../../ui/format.ts';
import { ModeChoice } from '../../ui/mode-choice.tsx';
import { apiKeysWords, keyFormWords } from '../../words/api-keys.tsx';
import { scopeWords } from '../../words/catalogues.ts';
import { uiWords } from '../../words/ui.ts';
import classes from './dialogs.module.css';
import type { Draft, Problems } from './draft.ts';

type Props = { draft: Draft; change: (to: Partial<Draft>) => void };
/** Whether one has tried to send what is wrong. */
type CheckedProps = Props & { problems: Problems; isTried: boolean };

/** Nothing is wrong with a name that nobody has begun to type. */
export function NameField({ draft, change, problems, isTried }: CheckedProps) {
  return (
    <TextInput
      data-autofocus
      label={uiWords.name}
      description={keyFormWords.nameAbout}
      value={draft.name}
      onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      error={isTried || draft.name !== '' ? problems.name : undefined}
      autoComplete="off"
      required
      withAsterisk={false}
    />
  );
}

export function ModeField({ draft, change, mayTest }: Props & { mayTest: boolean }) {
  return (
    <ModeChoice
      mode={draft.mode}
      offered={mayTest ? ['LIVE', 'TEST'] : ['LIVE']}
      description={keyFormWords.modeAbout}
      meanings={{ LIVE: keyFormWords.liveMeans, TEST: keyFormWords.testMeans }}
      onChange={(mode) => change({ mode })}
    />
  );
}

/** Each resource with its scopes. */
function resources(): [string, [code: string, text: string][]][] {
  const groups = new Map<string, [string, string][]>();
  for (const [code, text] of Object.entries(scopeWords)) {
    const [resource = code] = code.split(':');
    groups.set(resource, [...(groups.get(resource) ?? []), [code, text]]);
  }
  return [...groups];
}

export function ScopeField({ draft, change }: Props) {
  const toggle = (code: string, isOn: boolean) =>
    change({ scopes: isOn ? [...draft.scopes, code] : draft.scopes.filter((each) => each !== code) });
  return (
    <fieldset className={classes['group']}>
      <legend className={classes['legend']}>{apiKeysWords.scopes}</legend>
      <p className={classes['hint']}>{keyFormWords.scopesAbout}</p>
      <div className={classes['resources']}>
        {resources().map(([resource, codes]) => (
          <fieldset key={resource} className={classes['resource']}>
            <legend>{formatName(resource.replaceAll('-', '_'))}</legend>
            <Stack gap="xs">
              {codes.map(([code, text]) => (
                <Checkbox
                  key={code}
                  className={classes['code'] ?? ''}
                  label={code}
                  description={text}
                  checked={draft.scopes.includes(code)}
                  onChange={({ currentTarget }) => toggle(code, currentTarget.checked)}
                />
              ))}
            </Stack>
          </fieldset>
        ))}
      </div>
      <ScopeWarning isNeeded={draft.scopes.length === 0} />
    </fieldset>
  );
}

/** Has its place also when there is nothing to say, so that nothing jumps. */
function ScopeWarning({ isNeeded }: { isNeeded: boolean }) {
  return (
    <div role="status" className={classes['warning']}>
      {isNeeded ? (
        <>
          <IconAlertTriangle size={16} aria-hidden />
          {keyFormWords.scopesMissing}
        </>
      ) : null}
    </div>
  );
}

export function AddressField({ draft, change, problems: { addresses: problems } }: CheckedProps) {
  return (
    <Textarea
      classNames={{ input: classes['mono'] ?? '' }}
      label={apiKeysWords.addresses}
      description={keyFormWords.addressesAbout}
      placeholder={'203.0.113.7\n2001:db8::/32'}
      rows={3}
      resize="vertical"
      spellCheck={false}
      autoComplete="off"
      value={draft.addresses}
      onChange={({ currentTarget }) => change({ addresses: currentTarget.value })}
      error={
        problems.length === 0
          ? undefined
          : problems.map((problem) => (
              <Text key={problem} span display="block" inherit>
                {problem}
              </Text>
            ))
      }
    />
  );
}

type Choice = { value: Draft['expiry']; label: string };

const expiries = (): Choice[] => [
  { value: '', label: keyFormWords.never },
  { value: '30', label: keyFormWords.in30 },
  { value: '90', label: keyFormWords.in90 },
  { value: '365', label: keyFormWords.inYear },
  { value: 'custom', label: keyFormWords.custom },
];

export function ExpiryField({ draft, change, problems, isTried }: CheckedProps) {
  const set = (value: string) =>
    change({ expiry: expiries().find((each) => each.value === value)?.value ?? '' });
  return (
    <Stack gap="xs">
      <NativeSelect
        label={keyFormWords.expiry}
        description={keyFormWords.expiryAbout}
        value={draft.expiry}
        onChange={({ currentTarget }) => set(currentTarget.value)}
        data={expiries()}
      />
      {draft.expiry === 'custom' ? (
        <TextInput
          type="datetime-local"
          label={keyFormWords.expiresAt}
          value={draft.expiresAt}
          onChange={({ currentTarget }) => change({ expiresAt: currentTarget.value })}
          error={isTried || draft.expiresAt !== '' ? problems.expiry : undefined}
        />
      ) : null}
    </Stack>
  );
}
