import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { ChannelType } from '@portico/sdk/portal';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { RecordDrawer } from '../../list/record-drawer.tsx';
import type { RecordResult } from '../../list/use-record.ts';
import { ExactTime } from '../../ui/exact-time.tsx';
import { Fields } from '../../ui/fields.tsx';
import { isObject } from '../../ui/json.ts';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { channelTypesWords } from '../../words/channel-types.ts';
import { shippedText } from '../../words/shipped-types.ts';
import { TypeStatus } from './columns.tsx';
import { type Configuration, configurationOf } from './configuration.ts';
import { RawJson } from './raw-json.tsx';
import { constraintsOf } from './schema/constraints.ts';
import { Constraints, SchemaTable } from './schema-table.tsx';
import classes from './type-drawer.module.css';

const mono = (text: string) => (
  <Text span size="sm" ff="monospace">
    {text}
  </Text>
);

function fieldsOf(type: ChannelType) {
  return [
    { name: channelTypesWords.typeId, value: mono(type.bizId), copy: type.bizId },
    { name: channelTypesWords.code, value: mono(type.typeCode), copy: type.typeCode },
    { name: channelTypesWords.value, value: type.typeValue },
    { name: channelTypesWords.order, value: type.displayOrder },
    ...(type.iconUrl === null
      ? []
      : [{ name: channelTypesWords.icon, value: mono(type.iconUrl), copy: type.iconUrl }]),
    { name: channelTypesWords.created, value: <ExactTime at={type.createdAt} />, copy: type.createdAt },
    { name: channelTypesWords.updated, value: <ExactTime at={type.updatedAt} />, copy: type.updatedAt },
  ];
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

function Capabilities({ all }: { all: Configuration['capabilities'] }) {
  return (
    <ul className={classes['capabilities']}>
      {all.map(({ name, value }) => (
        <li key={name} data-has={value !== false}>
          {value === false ? <IconX size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />}
          {name}
          <Text span size="sm" c="dimmed" ml="auto">
            {typeof value === 'string' ? value : value ? channelTypesWords.yes : channelTypesWords.no}
          </Text>
        </li>
      ))}
    </ul>
  );
}

function Settings({ schema }: { schema: unknown }) {
  const rules = isObject(schema) ? constraintsOf(schema) : [];
  return (
    <Section title={channelTypesWords.settings}>
      <SchemaTable schema={schema} label={channelTypesWords.settings} />
      {rules.length === 0 ? null : (
        <div className={classes['whole']}>
          <Text size="sm">{channelTypesWords.asWhole}</Text>
          <Constraints rules={rules} />
        </div>
      )}
    </Section>
  );
}

function Configured({ configuration }: { configuration: Configuration }) {
  const { address, schema, providers, capabilities } = configuration;
  return (
    <>
      {schema === undefined ? null : <Settings schema={schema} />}
      {address.length === 0 ? null : (
        <Section title={channelTypesWords.address}>
          <Fields fields={address} />
        </Section>
      )}
      {providers.length === 0 ? null : (
        <Section title={channelTypesWords.providers}>
          <Group gap="xs">
            {providers.map((provider) => (
              <Badge key={provider} variant="default" radius="sm" tt="none">
                {provider}
              </Badge>
            ))}
          </Group>
        </Section>
      )}
      {capabilities.length === 0 ? null : (
        <Section title={channelTypesWords.capabilities}>
          <Capabilities all={capabilities} />
        </Section>
      )}
    </>
  );
}

function Configuring({ extraConfig }: { extraConfig: unknown }) {
  const configuration = configurationOf(extraConfig);
  if (extraConfig === null)
    return (
      <Section title={channelTypesWords.configuration}>
        <Text size="sm" c="dimmed">
          {channelTypesWords.notConfigured}
        </Text>
      </Section>
    );
  return (
    <>
      {configuration === undefined ? null : <Configured configuration={configuration} />}
      <Section title={channelTypesWords.asJson}>
        {configuration?.version === undefined ? null : (
          <Text size="sm" c="dimmed" mb="xs">
            {channelTypesWords.schemaVersion(configuration.version)}
          </Text>
        )}
        <RawJson value={extraConfig} />
      </Section>
    </>
  );
}

function Details({ type }: { type: ChannelType }) {
  return (
    <Stack gap="xl">
      <Group gap="sm" wrap="nowrap">
        <TypeIcon code={type.typeCode} />
        <Text size="sm">{shippedText(type.typeDescription)}</Text>
        <Group ml="auto">
          <TypeStatus status={type.typeStatus} />
        </Group>
      </Group>
      <Configuring extraConfig={type.extraConfig} />
      <Section title={channelTypesWords.details}>
        <Fields fields={fieldsOf(type)} />
      </Section>
    </Stack>
  );
}

type Props = { type: RecordResult<ChannelType>; onClose: () => void };

/** Everything the catalogue says of a type, what a channel of it is configured with first. */
export function TypeDrawer({ type, onClose }: Props) {
  return (
    <RecordDrawer
      noun={channelTypesWords.channelType}
      result={type}
      size={760}
      title={({ typeName }) => shippedText(typeName)}
      onClose={onClose}
    >
      {(found) => <Details type={found} />}
    </RecordDrawer>
  );
}
