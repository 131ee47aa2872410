import { ActionIcon, Button, Popover, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { GivenName } from '../ui/given-name.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { viewWords } from '../words/list.ts';
import classes from './list-tools.module.css';
import { useViews } from './use-views.ts';
import { type View, viewNameMax, viewsMax } from './views.ts';

function SaveForm({ isFull, onSave }: { isFull: boolean; onSave(name: string): void }) {
  const [name, setName] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    onSave(name.trim());
    setName('');
  };
  if (isFull)
    return (
      <Text size="xs" c="dimmed">
        {viewWords.full(viewsMax)}
      </Text>
    );
  return (
    <form onSubmit={submit}>
      <Stack gap={8}>
        <TextInput
          label={viewWords.name}
          maxLength={viewNameMax}
          autoComplete="off"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-autofocus
        />
        <Button type="submit" variant="default">
          {viewWords.save}
        </Button>
      </Stack>
    </form>
  );
}

type ViewsProps = { views: readonly View[]; open(view: View): void; remove(name: string): void };

function Views({ views, open, remove }: ViewsProps) {
  if (views.length === 0)
    return (
      <Text size="sm" c="dimmed" mb={8}>
        {viewWords.none}
      </Text>
    );
  return (
    <ul className={classes['views']}>
      {views.map((view) => (
        <li key={view.name}>
          <UnstyledButton className={classes['view']} onClick={() => open(view)}>
            <GivenName>{view.name}</GivenName>
          </UnstyledButton>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={viewWords.remove(visibleText(view.name))}
            onClick={() => remove(view.name)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

/** Lists that are looked at again and again, by a name. */
export function SavedViews() {
  const { views, save, remove, open } = useViews();
  const [isOpen, setOpen] = useState(false);
  const show = (view: View) => {
    setOpen(false);
    open(view);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {viewWords.button}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes['dropdown'] ?? ''} aria-label={viewWords.button}>
        <Views views={views} open={show} remove={remove} />
        <SaveForm isFull={views.length >= viewsMax} onSave={save} />
        <Text size="xs" c="dimmed" mt={8}>
          {viewWords.own}
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}
