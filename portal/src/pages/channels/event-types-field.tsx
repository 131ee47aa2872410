import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useId } from 'react';
import { channelFormsWords } from '../../words/channel-forms.tsx';
import { eventMeanings } from '../../words/event-meanings.ts';
import classes from './event-types-field.module.css';
import { chosenTypes, type Group as TypeGroup, typeGroups } from './words.ts';

type Props = {
  chosen: readonly string[];
  error: string | undefined;
  onChange(types: readonly string[]): void;
};

/** In the order of the catalogue, whatever the order of the clicks. */
const ordered = (types: readonly string[]) => chosenTypes.filter((type) => types.includes(type));

function OneGroup({ group, chosen, onChange }: Omit<Props, 'error'> & { group: TypeGroup }) {
  const { name, types } = group;
  const count = types.filter((type) => chosen.includes(type)).length;
  const set = (changed: readonly string[], isOn: boolean) =>
    onChange(isOn ? ordered([...chosen, ...changed]) : chosen.filter((each) => !changed.includes(each)));
  return (
    <fieldset className={classes['group']}>
      <legend className={classes['name']}>
        <Checkbox
          label={name}
          aria-label={channelFormsWords.allOf(name)}
          checked={count === types.length}
          indeterminate={count > 0 && count < types.length}
          onChange={({ currentTarget }) => set(types, currentTarget.checked)}
        />
      </legend>
      <div className={classes['types']}>
        {types.map((type) => (
          <Checkbox
            key={type}
            size="xs"
            className={classes['type'] ?? ''}
            label={type}
            description={eventMeanings[type]}
            checked={chosen.includes(type)}
            onChange={({ currentTarget }) => set([type], currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** What a channel tells of, by what it is about. */
export function EventTypesField({ chosen, error, onChange }: Props) {
  const errorId = useId();
  return (
    // What keeps the form from being sent leads here.
    <fieldset
      className={classes['field']}
      tabIndex={-1}
      aria-describedby={error === undefined ? undefined : errorId}
      data-wrong={error === undefined ? undefined : true}
    >
      <legend className={classes['legend']}>{channelFormsWords.events}</legend>
      <Group justify="space-between" gap="xs" mb={8}>
        <Text size="xs" c="dimmed" role="status">
          {channelFormsWords.chosen(chosen.length, chosenTypes.length)}
        </Text>
        <Group gap={6}>
          <Button size="compact-xs" variant="default" onClick={() => onChange(chosenTypes)}>
            {channelFormsWords.all}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => onChange([])}>
            {channelFormsWords.none}
          </Button>
        </Group>
      </Group>
      <div className={classes['groups']}>
        {typeGroups.map((group) => (
          <OneGroup key={group.name} group={group} chosen={chosen} onChange={onChange} />
        ))}
      </div>
      {error === undefined ? null : (
        <Text id={errorId} size="xs" c="var(--mantine-color-error)" mt={6}>
          {error}
        </Text>
      )}
    </fieldset>
  );
}
