import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ChannelRecord, DeliveryRecord } from '@portico/sdk/portal';
import { IconRepeat } from '@tabler/icons-react';
import { RecordDrawer } from '../../list/record-drawer.tsx';
import type { PageResult } from '../../list/use-page-query.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { ExactTime } from '../../ui/exact-time.tsx';
import { Fields } from '../../ui/fields.tsx';
import { formatDuration } from '../../ui/format.ts';
import { deliveriesWords } from '../../words/channels.ts';
import { eventMeanings } from '../../words/event-meanings.ts';
import classes from './delivery-drawer.module.css';
import type { Manager } from './manager.ts';
import { DeliveryStatus } from './marks.tsx';
import { nextText, responseText } from './words.ts';

const mono = (text: string) => <span className={classes['mono']}>{text}</span>;

function fieldsOf(delivery: DeliveryRecord) {
  const { deliveryId, eventId, eventType, attempts, durationMs, createdAt, updatedAt } = delivery;
  const response = responseText(delivery);
  return [
    { name: deliveriesWords.event, value: mono(eventType) },
    { name: deliveriesWords.eventId, value: mono(eventId), copy: eventId },
    { name: deliveriesWords.deliveryId, value: mono(deliveryId), copy: deliveryId },
    { name: deliveriesWords.attempts, value: String(attempts) },
    ...(response === '' ? [] : [{ name: deliveriesWords.response, value: response }]),
    ...(durationMs === null ? [] : [{ name: deliveriesWords.duration, value: formatDuration(durationMs) }]),
    { name: deliveriesWords.created, value: <ExactTime at={createdAt} />, copy: createdAt },
    { name: deliveriesWords.updated, value: <ExactTime at={updatedAt} />, copy: updatedAt },
  ];
}

/** What the receiver answered last, or why it did not. */
function Answer({ delivery }: { delivery: DeliveryRecord }) {
  const { responseStatus, responseBody: body } = delivery;
  const title = responseStatus === null ? deliveriesWords.whyNoAnswer : deliveriesWords.lastAnswer;
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      {body === null || body === '' ? (
        <Text size="sm" c="dimmed">
          {responseStatus === null ? deliveriesWords.unknown : deliveriesWords.noBody}
        </Text>
      ) : (
        <Box component="pre" className={classes['body'] ?? ''} role="region" aria-label={title} tabIndex={0}>
          {body}
        </Box>
      )}
    </section>
  );
}

type DetailsProps = { delivery: DeliveryRecord; channel: ChannelRecord; manager: Manager };

function Details({ delivery, channel, manager }: DetailsProps) {
  const { quick, isOwner, redeliver } = manager;
  const next = nextText(delivery, Date.now());
  return (
    <Stack gap="md">
      <Group gap="sm">
        {/* It changes while one looks. */}
        <span role="status">
          <DeliveryStatus status={delivery.status} />
        </span>
        <Text size="sm" c="dimmed">
          {next === '' ? eventMeanings[delivery.eventType] : next}
        </Text>
      </Group>
      {quick.error === null ? null : <ErrorNotice error={quick.error} />}
      {isOwner && channel.status !== 'DISABLED' ? (
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRepeat size={14} aria-hidden />}
            loading={quick.isPending}
            onClick={() => redeliver(channel, delivery)}
          >
            {delivery.status === 'PENDING' ? deliveriesWords.tryNow : deliveriesWords.redeliver}
          </Button>
        </Group>
      ) : null}
      <Fields fields={fieldsOf(delivery)} />
      {responseText(delivery) === '' ? null : <Answer delivery={delivery} />}
    </Stack>
  );
}

type Props = Omit<DetailsProps, 'delivery'> & {
  id: string | undefined;
  page: PageResult<DeliveryRecord>;
  onClose(): void;
};

/** Everything that is known of a delivery, of the page that is shown. */
export function DeliveryDrawer({ id, page, channel, manager, onClose }: Props) {
  const record = page.page?.content.find(({ deliveryId }) => deliveryId === id);
  return (
    <RecordDrawer
      noun={deliveriesWords.delivery}
      result={{ id: record?.deliveryId, record, error: null, isFetching: page.isFetching, retry: page.retry }}
      title={({ eventType }) => eventType}
      isCovered={manager.task !== undefined}
      onClose={onClose}
    >
      {(delivery) => <Details delivery={delivery} channel={channel} manager={manager} />}
    </RecordDrawer>
  );
}
