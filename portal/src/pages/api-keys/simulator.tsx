import { Button, NativeSelect, Skeleton, TextInput, UnstyledButton } from '@mantine/core';
import { type ApiKeyRecord, PorticoError, type Simulation } from '@portico/sdk/portal';
import { IconChevronRight, IconFlask } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { portal } from '../../session/portal.ts';
import { type AddressedCall, callParameters, readCall, withoutCall } from '../../ui/call-address.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { timeZone } from '../../ui/time.ts';
import { simulatorWords as words } from '../../words/simulator.ts';
import { keysQuery } from './list.ts';
import { isNetwork } from './networks.ts';
import classes from './simulator.module.css';
import { SimulatorTrace } from './simulator-trace.tsx';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const minuteMs = 60_000;

const isUtc = () => timeZone() === 'UTC';

/** As an input of date and time has it, by the clock that times are told by. */
function toClock(iso: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return '';
  const ahead = isUtc() ? 0 : new Date(at).getTimezoneOffset() * minuteMs;
  return new Date(at - ahead).toISOString().slice(0, 16);
}

const fromClock = (text: string): string =>
  text === '' ? '' : new Date(isUtc() ? `${text}Z` : text).toISOString();

const isAddress = (text: string) => isNetwork(text) && !text.includes('/');

function problemsOf({ path, address }: AddressedCall) {
  return {
    ...(path.startsWith('/api/') ? {} : { path: words.pathWrong }),
    ...(isAddress(address) ? {} : { address: words.addressWrong }),
  };
}

type FormProps = { call: AddressedCall; isPending: boolean; onSend(call: AddressedCall): void };

function CallForm({ call, isPending, onSend }: FormProps) {
  const [draft, setDraft] = useState(call);
  const [isTried, setTried] = useState(false);
  const problems: { path?: string; address?: string } = isTried ? problemsOf(draft) : {};
  const field = (name: 'path' | 'address') => ({
    value: draft[name],
    error: problems[name],
    spellCheck: false,
    autoComplete: 'off',
    classNames: { input: classes['mono'] ?? '' },
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [name]: currentTarget.value.trim() }),
  });
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problemsOf(draft)).length === 0) onSend(draft);
  };
  return (
    <form className={classes['form']} onSubmit={send} noValidate>
      <div className={classes['row']}>
        <NativeSelect
          className={classes['method'] ?? ''}
          label={words.method}
          data={methods}
          value={draft.method}
          onChange={({ currentTarget }) => setDraft({ ...draft, method: currentTarget.value })}
        />
        <TextInput className={classes['grows'] ?? ''} label={words.path} {...field('path')} />
      </div>
      <div className={classes['row']}>
        <TextInput className={classes['grows'] ?? ''} label={words.address} {...field('address')} />
        <TextInput
          className={classes['grows'] ?? ''}
          type="datetime-local"
          label={
            <>
              {isUtc() ? words.timeUtc : words.time}{' '}
              <span className={classes['aside']}>{words.timeAbout}</span>
            </>
          }
          value={toClock(draft.at)}
          onChange={({ currentTarget }) => setDraft({ ...draft, at: fromClock(currentTarget.value) })}
        />
      </div>
      <div>
        <Button type="submit" size="xs" loading={isPending}>
          {words.check}
        </Button>
      </div>
    </form>
  );
}

/** The call of the address, judged anew whenever something about the key changes. */
function useTrace(workspaceId: string, apiKeyId: string, call: Simulation | undefined) {
  return useQuery({
    queryKey: [...keysQuery(workspaceId), 'simulation', apiKeyId, call],
    // Never asked without a call.
    queryFn: ({ signal }) =>
      portal.simulateApiKey(workspaceId, apiKeyId, call ?? { method: '', path: '', ip: '' }, { signal }),
    enabled: call !== undefined,
    staleTime: 0,
  });
}

function simulationOf(call: AddressedCall | undefined): Simulation | undefined {
  if (call === undefined || Object.keys(problemsOf(call)).length > 0) return undefined;
  const { method, path, address, at } = call;
  return { method, path, ip: address, ...(at === '' ? {} : { at }) };
}

type Props = { workspaceId: string; apiKey: ApiKeyRecord };

function Workbench({ workspaceId, apiKey }: Props) {
  const [params, setParams] = useSearchParams();
  const asked = readCall(params);
  const call = simulationOf(asked);
  const { data, error, isFetching, refetch } = useTrace(workspaceId, apiKey.apiKeyId, call);
  const send = (wanted: AddressedCall) => {
    const same = JSON.stringify(simulationOf(wanted)) === JSON.stringify(call);
    if (same) void refetch();
    else
      setParams(
        (old) => new URLSearchParams([...withoutCall(old), ...Object.entries(callParameters(wanted))]),
        {
          replace: true,
        },
      );
  };
  const first = { method: 'GET', path: '/api/v1/transfers', address: apiKey.lastUsedIp ?? '', at: '' };
  return (
    <div className={classes['content']}>
      <p className={classes['about']}>{words.about}</p>
      <CallForm call={asked ?? first} isPending={isFetching} onSend={send} />
      <div role="status">
        {error === null ? null : (
          <ErrorNotice
            error={error}
            {...(error instanceof PorticoError && error.fields.length > 0
              ? {}
              : { onRetry: () => void refetch(), isRetrying: isFetching })}
          />
        )}
        {call !== undefined && data === undefined && error === null ? <Skeleton height={140} /> : null}
        {call === undefined || data === undefined ? null : <SimulatorTrace trace={data} call={call} />}
      </div>
    </div>
  );
}

/** Tells what would become of a call with this key, and why. A call in the address is judged at once. */
export function Simulator(props: Props) {
  const [params] = useSearchParams();
  const isLinked = readCall(params) !== undefined;
  const [isOpen, setOpen] = useState(isLinked);
  const box = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => {
    if (isLinked) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isLinked]);
  return (
    <section className={classes['box']} aria-labelledby={id} ref={box}>
      <UnstyledButton
        className={classes['toggle']}
        id={id}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <IconFlask size={18} aria-hidden />
        {words.title}
        <IconChevronRight size={16} aria-hidden />
      </UnstyledButton>
      {isOpen ? <Workbench {...props} /> : null}
    </section>
  );
}
