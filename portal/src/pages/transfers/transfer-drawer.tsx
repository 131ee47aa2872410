import { Drawer, Group, Stack, Text } from '@mantine/core';
import type { Transfer } from '@portico/sdk/portal';
import { Fields } from '../../ui/fields.tsx';
import { formatExact, formatRelative } from '../../ui/format.ts';
import { currencyName, formatAmount } from './amount.ts';
import { Amount, TransferStatus } from './columns.tsx';
import type { Mode } from './mode-switch.tsx';
import { TestMark } from './test-frame.tsx';
import classes from './transfer-drawer.module.css';

const mono = (text: string) => (
  <Text span size="sm" ff="monospace">
    {text}
  </Text>
);

const dimmed = (text: string) => (
  <Text span size="sm" c="dimmed">
    {text}
  </Text>
);

function Time({ at }: { at: string }) {
  return (
    <>
      <time dateTime={at}>{formatExact(at)}</time>
      <Text size="xs" c="dimmed">
        {formatRelative(at, Date.now())} · {at}
      </Text>
    </>
  );
}

function fieldsOf(transfer: Transfer, mode: Mode) {
  const { transferId, amount, currency, reference, createdAt, updatedAt } = transfer;
  return [
    { name: 'Transfer id', value: mono(transferId), copy: transferId },
    { name: 'Amount', value: formatAmount(amount), copy: amount },
    { name: 'Currency', value: `${currencyName(currency)} (${currency})` },
    {
      name: 'Reference',
      value: reference ?? dimmed('None'),
      ...(reference === null ? {} : { copy: reference }),
    },
    { name: 'Mode', value: mode },
    { name: 'Created', value: <Time at={createdAt} />, copy: createdAt },
    { name: 'Updated', value: <Time at={updatedAt} />, copy: updatedAt },
  ];
}

type Props = { transfer: Transfer | undefined; mode: Mode; onClose: () => void };

/** Everything the service says of a transfer. */
export function TransferDrawer({ transfer, mode, onClose }: Props) {
  return (
    <Drawer
      opened={transfer !== undefined}
      onClose={onClose}
      position="right"
      size={520}
      title={transfer === undefined ? null : `Transfer ${transfer.transferId}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {transfer === undefined ? null : (
        <Stack gap="md">
          <Group gap="sm">
            <span className={classes['amount']}>
              <Amount transfer={transfer} />
            </span>
            <TransferStatus status={transfer.status} />
            {mode === 'TEST' ? <TestMark /> : null}
          </Group>
          <Fields fields={fieldsOf(transfer, mode)} />
        </Stack>
      )}
    </Drawer>
  );
}
