import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { ChannelType } from '@portico/sdk/portal';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { RecordDrawer } from '../../list/record-drawer.tsx';
import type { RecordResult } from '../../list/use-record.ts';
import { Fields } from '../../ui/fields.tsx';
import { formatExact, formatRelative } from '../../ui/format.ts';
import { TypeStatus } from './columns.tsx';
import { type Configuration, configurationOf } from './configuration.ts';
import { TypeIcon } from './icons.tsx';
import { RawJson } from './raw-json.tsx';
import { constraintsOf } from './schema/constraints.ts';
import { isObject } from './schema/json.ts';
import { Constraints, SchemaTable } from './schema-table.tsx';
import classes from './type-drawer.module.css';

const mono = (text: string) => (
  <Text span size="sm" ff="monospace">
    {text}
  </Text>
);

const timeOf = (at: string) => `${formatExact(at)} (${formatRelative(at, Date.now())})`;

function fieldsOf(type: ChannelType) {
  return [
    { name: 'Type id', value: mono(type.bizId), copy: type.bizId },
    { name: 'Code', value: mono(type.typeCode), copy: type.typeCode },
    { name: 'Value', value: type.typeValue },
    { name: 'Order', value: type.displayOrder },
    ...(type.iconUrl === null ? [] : [{ name: 'Icon', value: mono(type.iconUrl), copy: type.iconUrl }]),
    { name: 'Created', value: timeOf(type.createdAt), copy: type.createdAt },
    { name: 'Updated', value: timeOf(type.updatedAt), copy: type.updatedAt },
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
            {typeof value === 'string' ? value : value ? 'Yes' : 'No'}
          </Text>
        </li>
      ))}
    </ul>
  );
}

function Settings({ schema }: { schema: unknown }) {
  const rules = isObject(schema) ? constraintsOf(schema) : [];
  return (
    <Section title="Settings">
      <SchemaTable schema={schema} label="Settings" />
      {rules.length === 0 ? null : (
        <div className={classes['whole']}>
          <Text size="sm">As a whole:</Text>
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
        <Section title="Address">
          <Fields fields={address} />
        </Section>
      )}
      {providers.length === 0 ? null : (
        <Section title="Providers">
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
        <Section title="Capabilities">
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
      <Section title="Configuration">
        <Text size="sm" c="dimmed">
          The catalogue describes no configuration for this type.
        </Text>
      </Section>
    );
  return (
    <>
      {configuration === undefined ? null : <Configured configuration={configuration} />}
      <Section title="Configuration as JSON">
        {configuration?.version === undefined ? null : (
          <Text size="sm" c="dimmed" mb="xs">
            Schema version {configuration.version}
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
        <Text size="sm">{type.typeDescription}</Text>
        <Group ml="auto">
          <TypeStatus status={type.typeStatus} />
        </Group>
      </Group>
      <Configuring extraConfig={type.extraConfig} />
      <Section title="Details">
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
      noun="channel type"
      result={type}
      size={760}
      title={({ typeName }) => typeName}
      onClose={onClose}
    >
      {(found) => <Details type={found} />}
    </RecordDrawer>
  );
}
