import { Checkbox, NativeSelect, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { scopes as scopeTexts } from '@portico/sdk/portal';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatName } from '../../ui/format.ts';
import classes from './dialogs.module.css';
import { type Draft, expiryProblem, type Mode, nameProblem } from './draft.ts';
import { readNetworks } from './networks.ts';

type Props = { draft: Draft; change: (to: Partial<Draft>) => void };

/** Nothing is wrong with a name that nobody has begun to type. */
export function NameField({ draft, change, isTried }: Props & { isTried: boolean }) {
  return (
    <TextInput
      data-autofocus
      label="Name"
      description="The program that will use the key"
      value={draft.name}
      onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      error={isTried || draft.name !== '' ? nameProblem(draft.name) : undefined}
      autoComplete="off"
      required
      withAsterisk={false}
    />
  );
}

const modes: Record<Mode, string> = {
  LIVE: 'Works on the real data of the workspace',
  TEST: 'Works on its test data, for trying things out',
};

export function ModeField({ draft, change, mayTest }: Props & { mayTest: boolean }) {
  const offered: Mode[] = mayTest ? ['LIVE', 'TEST'] : ['LIVE'];
  return (
    <Radio.Group
      label="Mode"
      description="It stays what it is for the life of the key"
      value={draft.mode}
      onChange={(mode) => change({ mode: mode === 'TEST' ? 'TEST' : 'LIVE' })}
    >
      <div className={classes['modes']}>
        {offered.map((mode) => (
          <Radio
            key={mode}
            className={classes['card'] ?? ''}
            wrapperProps={{ 'data-mode': mode }}
            value={mode}
            label={mode}
            description={modes[mode]}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

/** Each resource with its scopes. */
function resources(): [string, [code: string, text: string][]][] {
  const groups = new Map<string, [string, string][]>();
  for (const [code, text] of Object.entries(scopeTexts)) {
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
      <legend className={classes['legend']}>Scopes</legend>
      <p className={classes['hint']}>What the key may do. Give it no more than its program needs.</p>
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
          Without a scope the key may do nothing: every call with it is refused.
        </>
      ) : null}
    </div>
  );
}

export function AddressField({ draft, change }: Props) {
  const { problems } = readNetworks(draft.addresses);
  return (
    <Textarea
      classNames={{ input: classes['mono'] ?? '' }}
      label="IP addresses"
      description="Where calls may come from: an address or CIDR block on each line. Empty: anywhere."
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

const expiries = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'custom', label: 'At a time of your choice' },
] as const;

export function ExpiryField({ draft, change, known }: Props & { known: Draft | undefined }) {
  const set = (value: string) =>
    change({ expiry: expiries.find((each) => each.value === value)?.value ?? '' });
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Expiry"
        description="When the key stops working by itself"
        value={draft.expiry}
        onChange={({ currentTarget }) => set(currentTarget.value)}
        data={[...expiries]}
      />
      {draft.expiry === 'custom' ? (
        <TextInput
          type="datetime-local"
          label="Expires at"
          value={draft.expiresAt}
          onChange={({ currentTarget }) => change({ expiresAt: currentTarget.value })}
          error={draft.expiresAt === (known?.expiresAt ?? '') ? undefined : expiryProblem(draft, Date.now())}
        />
      ) : null}
    </Stack>
  );
}
