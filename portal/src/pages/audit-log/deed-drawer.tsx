import { Button, Group, Stack, Table, Text } from '@mantine/core';
import type { AuditLogRecord } from '@portico/sdk/portal';
import { Link } from 'wouter';
import { RecordDrawer } from '../../list/record-drawer.tsx';
import type { RecordResult } from '../../list/use-record.ts';
import { useInWorkspace } from '../../session/workspace.ts';
import { actionText, subjectText, valueText } from '../../ui/audit-words.ts';
import { Fields } from '../../ui/fields.tsx';
import { formatExact, formatName } from '../../ui/format.ts';
import classes from './deed-drawer.module.css';
import type { Filter } from './list.ts';

const mono = (text: string) => <span className={classes['mono']}>{text}</span>;

function Changes({ changes }: { changes: AuditLogRecord['changes'] }) {
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  return (
    <Table className={classes['changes'] ?? ''} aria-label="Changes" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Field</Table.Th>
          <Table.Th>Before</Table.Th>
          <Table.Th>After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map(([field, { from, to }]) => (
          <Table.Tr key={field}>
            <Table.Td>{field}</Table.Td>
            <Table.Td>{valueText(from)}</Table.Td>
            <Table.Td>{valueText(to)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function fieldsOf(record: AuditLogRecord) {
  const { auditId, sequence, occurredAt, actorType, actorId, actorName, subjectType, subjectId, hash } =
    record;
  const { ipAddress, requestId } = record;
  return [
    { name: 'When', value: formatExact(occurredAt), copy: occurredAt },
    { name: 'By', value: `${actorName} (${formatName(actorType).toLowerCase()})` },
    { name: 'Id of who did it', value: mono(actorId), copy: actorId },
    { name: 'On', value: mono(subjectId), copy: subjectId },
    { name: 'Kind', value: subjectText(subjectType) },
    ...(ipAddress === null ? [] : [{ name: 'From address', value: mono(ipAddress), copy: ipAddress }]),
    ...(requestId === null ? [] : [{ name: 'Request id', value: mono(requestId), copy: requestId }]),
    { name: 'Number', value: String(sequence) },
    { name: 'Record id', value: mono(auditId), copy: auditId },
    { name: 'Hash', value: mono(hash), copy: hash },
  ];
}

type Props = {
  record: RecordResult<AuditLogRecord>;
  /** Shows only what is by the same one, or on the same thing. */
  onFilter(name: Filter, value: string): void;
  onClose: () => void;
};

/** Where the things that were changed are shown, and by which parameter of the address. */
const places: Readonly<Record<string, { path: string; parameter: string }>> = {
  API_KEY: { path: '/api-keys', parameter: 'key' },
  FILE: { path: '/files', parameter: 'file' },
  TRANSFER: { path: '/transfers', parameter: 'transfer' },
};

function Subject({ record: { subjectType, subjectId } }: { record: AuditLogRecord }) {
  const inWorkspace = useInWorkspace();
  const place = places[subjectType];
  if (place === undefined) return null;
  const { path, parameter } = place;
  return (
    <Button
      size="xs"
      variant="default"
      component={Link}
      href={`${inWorkspace(path)}&${new URLSearchParams({ [parameter]: subjectId })}`}
    >
      Open this {subjectText(subjectType)}
    </Button>
  );
}

function Details({ record, onFilter }: Pick<Props, 'onFilter'> & { record: AuditLogRecord }) {
  return (
    <Stack gap="md">
      <Changes changes={record.changes} />
      <Group gap={8}>
        <Subject record={record} />
        <Button size="xs" variant="default" onClick={() => onFilter('actorId', record.actorId)}>
          All by {record.actorName}
        </Button>
        <Button size="xs" variant="default" onClick={() => onFilter('subjectId', record.subjectId)}>
          All on this {subjectText(record.subjectType)}
        </Button>
      </Group>
      <Fields fields={fieldsOf(record)} />
      <Text size="xs" c="dimmed">
        The hash covers this record and the hash of the one before it, so that none can be changed or removed
        unseen.
      </Text>
    </Stack>
  );
}

/** Everything the log says of one deed. */
export function DeedDrawer({ record, onFilter, onClose }: Props) {
  return (
    <RecordDrawer
      noun="record"
      result={record}
      size={560}
      title={({ action }) => actionText(action)}
      onClose={onClose}
    >
      {(found) => <Details record={found} onFilter={onFilter} />}
    </RecordDrawer>
  );
}
