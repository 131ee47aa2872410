import { Button, Drawer, Group, Stack, Table, Text } from '@mantine/core';
import type { AuditLogRecord } from '@portico/sdk/portal';
import { actionText, subjectText, valueText } from '../../ui/audit-words.ts';
import { Fields } from '../../ui/fields.tsx';
import { formatExact, formatName } from '../../ui/format.ts';
import type { Filter } from './list.ts';
import classes from './record-drawer.module.css';

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
  record: AuditLogRecord | undefined;
  /** Shows only what is by the same one, or on the same thing. */
  onFilter(name: Filter, value: string): void;
  onClose: () => void;
};

/** Everything the log says of one deed. */
export function RecordDrawer({ record, onFilter, onClose }: Props) {
  return (
    <Drawer
      opened={record !== undefined}
      onClose={onClose}
      position="right"
      size={560}
      title={record === undefined ? null : actionText(record.action)}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {record === undefined ? null : (
        <Stack gap="md">
          <Changes changes={record.changes} />
          <Group gap={8}>
            <Button size="xs" variant="default" onClick={() => onFilter('actorId', record.actorId)}>
              All by {record.actorName}
            </Button>
            <Button size="xs" variant="default" onClick={() => onFilter('subjectId', record.subjectId)}>
              All on this {subjectText(record.subjectType)}
            </Button>
          </Group>
          <Fields fields={fieldsOf(record)} />
          <Text size="xs" c="dimmed">
            The hash covers this record and the hash of the one before it, so that none can be changed or
            removed unseen.
          </Text>
        </Stack>
      )}
    </Drawer>
  );
}
