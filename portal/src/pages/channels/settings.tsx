import type { ChannelRecord } from '@portico/sdk/portal';
import { Fields } from '../../ui/fields.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { inline, own } from '../../ui/json.ts';
import { Section } from '../../ui/section.tsx';
import { channelsWords } from '../../words/channels.ts';
import { eventMeanings } from '../../words/event-meanings.ts';
import classes from './detail.module.css';
import { schemaOf } from './draft.ts';
import { useTypes } from './list.ts';
import { fieldsOf, type SchemaField } from './schema/fields.ts';
import { typesText } from './words.ts';

function shownValue({ isSecret }: SchemaField, value: unknown) {
  if (isSecret) return <span className={classes['quiet']}>{channelsWords.neverShown}</span>;
  if (value === undefined) return <span className={classes['quiet']}>{channelsWords.notSet}</span>;
  if (typeof value === 'boolean') return value ? channelsWords.yes : channelsWords.no;
  return <GivenName>{inline(value)}</GivenName>;
}

/** Each setting by the name that the type has for it; of a type that is not known, by its own. */
function settingsOf(fields: readonly SchemaField[], config: ChannelRecord['config']) {
  return fields.map((field) => {
    const value = own(config, field.name);
    const isCopied = typeof value === 'string' && !field.isSecret;
    return { name: field.label, value: shownValue(field, value), ...(isCopied ? { copy: value } : {}) };
  });
}

function EventTypes({ types }: { types: ChannelRecord['eventTypes'] }) {
  return (
    <details>
      <summary>{typesText(types)}</summary>
      <ul className={classes['list']}>
        {types.map((type) => (
          <li key={type} title={eventMeanings[type]} className={classes['code']}>
            {type}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What a channel is, and what it is configured with. */
export function Settings({ channel }: { channel: ChannelRecord }) {
  const { channelId, typeCode, eventTypes, config } = channel;
  const { data } = useTypes();
  const type = data?.content.find((each) => each.typeCode === typeCode);
  const fields = fieldsOf(schemaOf(type?.extraConfig), false);
  return (
    <Section title={channelsWords.settings} description={channelsWords.settingsAbout}>
      <div className={classes['body']}>
        <Fields
          fields={[
            {
              name: channelsWords.channelId,
              value: <span className={classes['code']}>{channelId}</span>,
              copy: channelId,
            },
            ...settingsOf(fields, config),
            { name: channelsWords.events, value: <EventTypes types={eventTypes} /> },
          ]}
        />
      </div>
    </Section>
  );
}
