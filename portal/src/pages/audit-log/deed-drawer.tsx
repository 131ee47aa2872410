import { Button, Group, Stack, Table, Text } from '@mantine/core';
import type { AuditLogRecord } from '@portico/sdk/portal';
import { Link } from 'wouter';
import { RecordDrawer } from '../../list/record-drawer.tsx';
import type { RecordResult } from '../../list/use-record.ts';
import { useInWorkspace } from '../../session/workspace.ts';
import { actionText, subjectText, valueText } from '../../ui/audit-words.ts';
import { ExactTime } from '../../ui/exact-time.tsx';
import { Fields } from '../../ui/fields.tsx';
import { formatName } from '../../ui/format.ts';
import { recordPlaceOf } from '../../ui/record-places.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { auditLogWords } from '../../words/audit-log.ts';
import classes from './deed-drawer.module.css';
import type { Filter } from './list.ts';

const mono = (text: string) => <span className={classes['mono']}>{text}</span>;

function Changes({ changes }: { changes: AuditLogRecord['changes'] }) {
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  return (
    <Table className={classes['changes'] ?? ''} aria-label={auditLogWords.changes} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{auditLogWords.field}</Table.Th>
          <Table.Th>{auditLogWords.before}</Table.Th>
          <Table.Th>{auditLogWords.after}</Table.Th>
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
    { name: auditLogWords.when, value: <ExactTime at={occurredAt} />, copy: occurredAt },
    {
      name: auditLogWords.by,
      value: auditLogWords.byWhom(visibleText(actorName), formatName(actorType).toLowerCase()),
    },
    { name: auditLogWords.actorId, value: mono(actorId), copy: actorId },
    { name: auditLogWords.on, value: mono(subjectId), copy: subjectId },
    { name: auditLogWords.kind, value: subjectText(subjectType) },
    ...(ipAddress === null
      ? []
      : [{ name: auditLogWords.fromAddress, value: mono(ipAddress), copy: ipAddress }]),
    ...(requestId === null
      ? []
      : [{ name: auditLogWords.requestId, value: mono(requestId), copy: requestId }]),
    { name: auditLogWords.number, value: String(sequence) },
    { name: auditLogWords.recordId, value: mono(auditId), copy: auditId },
    { name: auditLogWords.hash, value: mono(hash), copy: hash },
  ];
}

type Props = {
  record: RecordResult<AuditLogRecord>;
  /** Shows only what is by the same one, or on the same thing. */
  onFilter(name: Filter, value: string): void;
  onClose: () => void;
};

function Subject({ record: { subjectType, subjectId } }: { record: AuditLogRecord }) {
  const inWorkspace = useInWorkspace();
  const place = recordPlaceOf(subjectType);
  if (place === undefined) return null;
  const { path, parameter } = place;
  return (
    <Button size="xs" variant="default" component={Link} href={inWorkspace(path, { [parameter]: subjectId })}>
      {auditLogWords.openThis(subjectText(subjectType))}
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
          {auditLogWords.allBy(visibleText(record.actorName))}
        </Button>
        <Button size="xs" variant="default" onClick={() => onFilter('subjectId', record.subjectId)}>
          {auditLogWords.allOn(subjectText(record.subjectType))}
        </Button>
      </Group>
      <Fields fields={fieldsOf(record)} />
      <Text size="xs" c="dimmed">
        {auditLogWords.hashAbout}
      </Text>
    </Stack>
  );
}

/** Everything the log says of one deed. */
export function DeedDrawer({ record, onFilter, onClose }: Props) {
  return (
    <RecordDrawer
      noun={auditLogWords.record}
      result={record}
      size={560}
      title={({ action }) => actionText(action)}
      onClose={onClose}
    >
      {(found) => <Details record={found} onFilter={onFilter} />}
    </RecordDrawer>
  );
}
