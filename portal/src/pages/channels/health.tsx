import type { ChannelRecord } from '@portico/sdk/portal';
import { ExactTime } from '../../ui/exact-time.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Section } from '../../ui/section.tsx';
import { channelsWords } from '../../words/channels.ts';
import classes from './detail.module.css';
import { healthText } from './words.ts';

const when = (at: string | null, none: string) =>
  at === null ? <span className={classes['quiet']}>{none}</span> : <ExactTime at={at} />;

/** Whether what is sent arrives. */
export function Health({ channel }: { channel: ChannelRecord }) {
  const { lastSuccessAt, failingSince } = channel;
  return (
    <Section title={channelsWords.health} description={healthText(channel, Date.now())}>
      <div className={classes['body']}>
        <Fields
          fields={[
            { name: channelsWords.lastSuccess, value: when(lastSuccessAt, channelsWords.never) },
            { name: channelsWords.failingSince, value: when(failingSince, channelsWords.notFailing) },
            { name: channelsWords.changed, value: when(channel.updatedAt, channelsWords.never) },
            { name: channelsWords.created, value: when(channel.createdAt, channelsWords.never) },
          ]}
        />
      </div>
    </Section>
  );
}
