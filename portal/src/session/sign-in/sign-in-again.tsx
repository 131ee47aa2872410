import { Alert, Anchor, Button, Divider, Modal, Text } from '@mantine/core';
import type { Me } from '@portico/sdk/portal';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { FocusEvent } from 'react';
import { useIsStaying } from '../../ui/use-stay.ts';
import { signInWords } from '../../words/session.tsx';
import { uiWords } from '../../words/ui.ts';
import { portal, session } from '../portal.ts';
import { useSignInConfig } from '../turnstile/turnstile.tsx';
import classes from './sign-in-again.module.css';
import { SignInForm } from './sign-in-form.tsx';

/** Above every dialog of the pages. */
const layer = 400;

/** By Mantine's own mark: what is open below must not take this Escape for its own and close. */
function keepEscape({ target }: FocusEvent): void {
  target.setAttribute('data-mantine-stop-propagation', 'true');
}

/** In a tab of its own, which leaves this one as it is; this one hears of it. */
function Elsewhere() {
  const { data: config } = useSignInConfig();
  if (!config?.openIdConnect) return null;
  return (
    <>
      <Divider my="md" label={uiWords.or} />
      <Button
        component="a"
        href={portal.openIdConnectUrl()}
        target="_blank"
        variant="default"
        size="md"
        fullWidth
      >
        {signInWords.signInWith(config.openIdConnect.label)}
      </Button>
    </>
  );
}

function Again() {
  const email = useQueryClient().getQueryData<Me>(['me'])?.account.email;
  return (
    <Modal
      opened
      title={signInWords.again}
      zIndex={layer}
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      // What an account was shown is not for everyone who passes by.
      overlayProps={{ backgroundOpacity: 0.7, blur: 8 }}
      onFocusCapture={keepEscape}
      onClose={() => {}}
    >
      <Alert mb="md" icon={<IconInfoCircle size={20} />} title={signInWords.ended}>
        {signInWords.kept}
      </Alert>
      <SignInForm {...(email === undefined ? {} : { email })} others={<Elsewhere />} />
      <Text size="sm" ta="center" mt="md">
        <Anchor component="button" type="button" size="sm" onClick={() => session.giveUp()}>
          {signInWords.someoneElse}
        </Anchor>
      </Text>
    </Modal>
  );
}

/** Over pages whose session has ended: they stay as they are until someone has signed in again. */
export function SignInAgain({ why }: { why: 'left' | 'expired' }) {
  const isStaying = useIsStaying();
  if (isStaying)
    return (
      <div className={classes['notice']} role="status">
        {signInWords.outElsewhere}
      </div>
    );
  return why === 'expired' ? <Again /> : null;
}
