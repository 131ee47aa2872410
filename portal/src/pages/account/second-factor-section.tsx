import { Button, Text } from '@mantine/core';
import type { AccountRecord } from '@portico/sdk/portal';
import { useQueryClient } from '@tanstack/react-query';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useTask } from '../../ui/use-task.ts';
import classes from './account.module.css';
import { AddDialog } from './add-second-factor.tsx';
import { accountKey } from './query.ts';
import { RemoveDialog } from './remove-second-factor.tsx';

export function SecondFactorSection({ account }: { account: AccountRecord }) {
  const client = useQueryClient();
  const { task, begin, close } = useTask<{ action: 'add' | 'remove' }>();
  const isOn = account.hasSecondFactor;
  const finish = () => {
    close();
    void client.invalidateQueries({ queryKey: accountKey });
  };
  return (
    <Section
      title="Second factor"
      description="A code of an app on your phone, asked for after the password. Who has your password alone does not get in."
      actions={
        <Button
          {...(isOn ? { variant: 'default' } : {})}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => begin({ action: isOn ? 'remove' : 'add' }, currentTarget)}
        >
          {isOn ? 'Remove' : 'Add a second factor'}
        </Button>
      }
    >
      <div className={classes['body']}>
        <StatusBadge status={isOn ? 'ON' : 'OFF'} tone={isOn ? 'good' : 'waiting'} />
        <Text size="sm" mt={8}>
          {isOn
            ? 'For new recovery codes, remove it and add it again.'
            : 'Owners create keys and invite people: give such an account a second factor.'}
        </Text>
      </div>
      {task?.action === 'add' ? <AddDialog key={task.number} onClose={close} onDone={finish} /> : null}
      {task?.action === 'remove' ? <RemoveDialog key={task.number} onClose={close} onDone={finish} /> : null}
    </Section>
  );
}
