import { Button, Skeleton, Text, UnstyledButton } from '@mantine/core';
import type { ChannelType } from '@portico/sdk/portal';
import { IconBellRinging, IconChevronRight } from '@tabler/icons-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { channelFormsWords } from '../../words/channel-forms.tsx';
import { shippedText } from '../../words/shipped-types.ts';
import { useTypes } from './list.ts';
import classes from './type-choice.module.css';

type Props = { onChoose(type: ChannelType): void; onCancel(): void };

function Choice({
  type,
  isFirst,
  onChoose,
}: Pick<Props, 'onChoose'> & { type: ChannelType; isFirst: boolean }) {
  return (
    <UnstyledButton
      className={classes['type']}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      onClick={() => onChoose(type)}
    >
      <TypeIcon code={type.typeCode} />
      <span className={classes['texts']}>
        <span className={classes['name']}>{shippedText(type.typeName)}</span>
        <span className={classes['description']}>{shippedText(type.typeDescription)}</span>
      </span>
      <IconChevronRight size={18} aria-hidden className={classes['arrow']} />
    </UnstyledButton>
  );
}

/** The first step of a new channel: how someone is told. */
export function TypeChoice({ onChoose, onCancel }: Props) {
  const { data, error, refetch, isFetching } = useTypes();
  if (error !== null)
    return <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />;
  if (data === undefined) return <Skeleton height={260} />;
  const enabled = data.content.filter(({ typeStatus }) => typeStatus === 'ENABLED');
  if (enabled.length === 0)
    return (
      <EmptyState
        icon={<IconBellRinging size={24} />}
        title={channelFormsWords.noType}
        action={
          <Button variant="default" onClick={onCancel}>
            {channelFormsWords.close}
          </Button>
        }
      >
        {channelFormsWords.noTypeAbout}
      </EmptyState>
    );
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {channelFormsWords.howTold}
      </Text>
      <div className={classes['types']}>
        {enabled.map((type, at) => (
          <Choice key={type.typeCode} type={type} isFirst={at === 0} onChoose={onChoose} />
        ))}
      </div>
    </>
  );
}
