import { Button, Group, Stack, Text } from '@mantine/core';
import type { RequestRecord } from '@portico/sdk/portal';
import { IconBug, IconFlask, IconKey } from '@tabler/icons-react';
import { Link } from 'wouter';
import { RecordDrawer } from '../../list/record-drawer.tsx';
import type { RecordResult } from '../../list/use-record.ts';
import { useInWorkspace } from '../../session/workspace.ts';
import { callParameters } from '../../ui/call-address.ts';
import { meaningOf } from '../../ui/error-text.ts';
import { Fields } from '../../ui/fields.tsx';
import { formatDuration } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { ModeMark } from '../../ui/mode-band.tsx';
import { formatExact } from '../../ui/time.ts';
import { remedyWords, requestWords as words } from '../../words/requests.ts';
import type { Filter } from './list.ts';
import { askedText, hasRoute, RequestResult } from './marks.tsx';
import classes from './request-drawer.module.css';

const mono = (text: string) => <span className={classes['mono']}>{text}</span>;

function fieldsOf(request: RequestRecord) {
  const { requestId, occurredAt, apiKeyId, apiKeyName, mode, status, code, durationMs, ipAddress } = request;
  return [
    { name: words.result, value: <RequestResult status={status} /> },
    { name: words.when, value: formatExact(occurredAt), copy: occurredAt },
    { name: words.asked, value: mono(askedText(request)) },
    { name: words.status, value: `${status}` },
    { name: words.code, value: mono(code), copy: code },
    { name: words.key, value: <GivenName>{apiKeyName}</GivenName> },
    { name: words.keyId, value: mono(apiKeyId), copy: apiKeyId },
    { name: words.mode, value: <ModeMark mode={mode} /> },
    {
      name: words.address,
      value: ipAddress === null ? words.unknown : mono(ipAddress),
      ...(ipAddress === null ? {} : { copy: ipAddress }),
    },
    { name: words.took, value: formatDuration(durationMs) },
    { name: words.requestId, value: mono(requestId), copy: requestId },
  ];
}

const remedies: Readonly<Record<string, string>> = remedyWords;
const remedyOf = (code: string) => (Object.hasOwn(remedies, code) ? remedies[code] : undefined);

/** The code, what it means, and what helps. */
function Reason({ request: { code, status } }: { request: RequestRecord }) {
  if (status < 400) return null;
  const remedy = remedyOf(code);
  const title = status < 500 ? words.why : words.whyFailed;
  return (
    <section className={classes['reason']} aria-label={title}>
      <h3>{title}</h3>
      <p>
        <code>{code}</code> {meaningOf(code) ?? words.noMeaning}
      </p>
      {remedy === undefined ? null : (
        <>
          <h3>{words.whatToDo}</h3>
          <p>{remedy}</p>
        </>
      )}
    </section>
  );
}

/** Where more can be found out about the same call: nothing of it where no route was found. */
function useWays(request: RequestRecord) {
  const { apiKeyId, mode, method, route, ipAddress, occurredAt } = request;
  const inWorkspace = useInWorkspace();
  const about = { key: apiKeyId, mode };
  const to = (path: string, call: Parameters<typeof callParameters>[0] = {}) =>
    inWorkspace(path, { ...about, ...callParameters(call) });
  const call = { method, path: route, at: occurredAt };
  const key = { label: words.openKey, href: to('/api-keys'), Icon: IconKey };
  if (!hasRoute(request)) return [key];
  return [
    {
      label: words.simulate,
      href: to('/api-keys', { ...call, address: ipAddress ?? '' }),
      Icon: IconFlask,
    },
    { label: words.debug, href: to('/developers', call), Icon: IconBug },
    key,
  ];
}

type Props = {
  request: RecordResult<RequestRecord>;
  /** Shows only those of the same key, or with the same code. */
  onFilter(name: Filter, value: string): void;
  onClose(): void;
};

function Details({ request, onFilter }: Pick<Props, 'onFilter'> & { request: RequestRecord }) {
  const { apiKeyId, code, status } = request;
  const quiet = { size: 'xs', variant: 'default' } as const;
  return (
    <Stack gap="md">
      <Reason request={request} />
      <Group gap={8}>
        {useWays(request).map(({ label, href, Icon }) => (
          <Button
            key={label}
            {...quiet}
            component={Link}
            href={href}
            leftSection={<Icon size={14} aria-hidden />}
          >
            {label}
          </Button>
        ))}
        <Button {...quiet} onClick={() => onFilter('apiKeyId', apiKeyId)}>
          {words.allOfKey}
        </Button>
        {status < 400 ? null : (
          <Button {...quiet} onClick={() => onFilter('code', code)}>
            {words.allOfCode(code)}
          </Button>
        )}
      </Group>
      <Fields fields={fieldsOf(request)} />
      <Text size="xs" c="dimmed">
        {words.notKept}
      </Text>
    </Stack>
  );
}

/** What was asked, and why it was refused. */
export function RequestDrawer({ request, onFilter, onClose }: Props) {
  return (
    <RecordDrawer
      noun={words.noun}
      result={request}
      size={560}
      title={(found) => askedText(found)}
      onClose={onClose}
    >
      {(found) => <Details request={found} onFilter={onFilter} />}
    </RecordDrawer>
  );
}
