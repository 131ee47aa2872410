import { Paper, Text, UnstyledButton } from '@mantine/core';
import type { DemoWorld } from '@portico/sdk/portal';
import { signInPageWords } from '../../words/sign-in.tsx';
import classes from './demo-accounts.module.css';

type Props = { demo: DemoWorld; onChoose(login: { email: string; password: string }): void };

/** Who one can be in the demo. Its passwords are published, so it says them. */
export function DemoAccounts({ demo: { accounts, password }, onChoose }: Props) {
  return (
    <Paper withBorder radius="lg" mt="md" p="md" className={classes['card'] ?? ''}>
      <Text size="sm" fw={600}>
        {signInPageWords.demo}
      </Text>
      <Text size="xs" c="dimmed" mb={8}>
        {signInPageWords.demoPassword(<code>{password}</code>)}
      </Text>
      <ul className={classes['accounts']}>
        {accounts.map((email) => (
          <li key={email}>
            <UnstyledButton className={classes['account']} onClick={() => onChoose({ email, password })}>
              {email}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Paper>
  );
}
