import { Button, Text } from '@mantine/core';
import type { AccountRecord } from '@portico/sdk/portal';
import { useQueryClient } from '@tanstack/react-query';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useTask } from '../../ui/use-task.ts';
import { secondFactorWords } from '../../words/account.tsx';
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
      title={secondFactorWords.title}
      description={secondFactorWords.description}
      actions={
        <Button
          {...(isOn ? { variant: 'default' } : {})}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => begin({ action: isOn ? 'remove' : 'add' }, currentTarget)}
        >
          {isOn ? secondFactorWords.remove : secondFactorWords.add}
        </Button>
      }
    >
      <div className={classes['body']}>
        <StatusBadge status={isOn ? 'ON' : 'OFF'} tone={isOn ? 'good' : 'waiting'} />
        <Text size="sm" mt={8}>
          {isOn ? secondFactorWords.whenOn : secondFactorWords.whenOff}
        </Text>
      </div>
      {task?.action === 'add' ? <AddDialog key={task.number} onClose={close} onDone={finish} /> : null}
      {task?.action === 'remove' ? <RemoveDialog key={task.number} onClose={close} onDone={finish} /> : null}
    </Section>
  );
}
