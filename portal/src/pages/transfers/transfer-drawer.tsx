import { Button, Group, Stack, Text } from '@mantine/core';
import type { Mode, Transfer } from '@portico/sdk/portal';
import { IconX } from '@tabler/icons-react';
import { RecordDrawer } from '../../list/record-drawer.tsx';
import type { RecordResult } from '../../list/use-record.ts';
import { Fields } from '../../ui/fields.tsx';
import { formatExact, formatRelative } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { ModeMark } from '../../ui/mode-band.tsx';
import { transfersWords } from '../../words/transfers.tsx';
import { currencyName, formatAmount } from './amount.ts';
import { Amount, TransferStatus } from './columns.tsx';
import { outcomeText } from './draft.ts';
import type { Found } from './find.ts';
import { isMoving } from './list.ts';
import type { Manager } from './manager.ts';
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
        {`${formatRelative(at, Date.now())} · ${at}`}
      </Text>
    </>
  );
}

function fieldsOf(transfer: Transfer, mode: Mode) {
  const { transferId, amount, currency, reference, createdAt, updatedAt } = transfer;
  return [
    { name: transfersWords.transferId, value: mono(transferId), copy: transferId },
    { name: transfersWords.amount, value: formatAmount(amount), copy: amount },
    {
      name: transfersWords.currency,
      value: transfersWords.currencyWithCode(currencyName(currency), currency),
    },
    {
      name: transfersWords.reference,
      value: reference === null ? dimmed(transfersWords.noReference) : <GivenName>{reference}</GivenName>,
      ...(reference === null ? {} : { copy: reference }),
    },
    { name: transfersWords.mode, value: mode },
    { name: transfersWords.created, value: <Time at={createdAt} />, copy: createdAt },
    { name: transfersWords.updated, value: <Time at={updatedAt} />, copy: updatedAt },
  ];
}

function Details({ transfer, mode, manager }: Found & { manager: Manager }) {
  const { status, amount } = transfer;
  return (
    <Stack gap="md">
      <Group gap="sm">
        <span className={classes['amount']}>
          <Amount transfer={transfer} />
        </span>
        {/* It changes while one looks. */}
        <span role="status">
          <TransferStatus status={status} />
        </span>
        {mode === 'TEST' ? <ModeMark mode={mode} /> : null}
      </Group>
      {mode === 'TEST' && isMoving(transfer) ? dimmed(outcomeText(amount)) : null}
      {status === 'PENDING' && manager.isWorker ? (
        <Group>
          <Button
            size="xs"
            variant="default"
            c="var(--mantine-color-error)"
            leftSection={<IconX size={14} aria-hidden />}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) =>
              manager.begin({ action: 'cancel', transfer, mode }, currentTarget)
            }
          >
            {transfersWords.cancel}
          </Button>
        </Group>
      ) : null}
      <Fields fields={fieldsOf(transfer, mode)} />
    </Stack>
  );
}

type Props = { found: RecordResult<Found>; manager: Manager; onClose: () => void };

/** Everything the service says of a transfer, and what may be done with it. */
export function TransferDrawer({ found, manager, onClose }: Props) {
  return (
    <RecordDrawer
      noun={transfersWords.transfer}
      result={found}
      title={({ transfer }) => transfersWords.oneTransfer(transfer.transferId)}
      isCovered={manager.task !== undefined}
      onClose={onClose}
    >
      {(record) => <Details {...record} manager={manager} />}
    </RecordDrawer>
  );
}
