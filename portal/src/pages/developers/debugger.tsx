import { Alert, Button, Group, NativeSelect, Text, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/section.tsx';
import { CodeBlock, CodePlaceholder } from './code-block.tsx';
import { compareText, judgeSignature } from './compare.ts';
import { Comparison, type Own } from './comparison.tsx';
import { curlOf } from './curl.ts';
import classes from './debugger.module.css';
import { type DebuggedRequest, freshRequest, vectorNames, vectorRequest } from './request.ts';
import { RequestForm } from './request-form.tsx';
import { baseUrl } from './server-urls.ts';
import { type Difference, SignedLines } from './signed-lines.tsx';
import { canSign, type Signed, useSigned } from './use-signed.ts';
import { isOutsideWindow } from './warnings.ts';

const nothing: Own = { signature: '', text: '' };

function Curl({ signed: { request, signature } }: { signed: Signed }) {
  if (signature === undefined)
    return <CodePlaceholder title="curl">Appears with the signature.</CodePlaceholder>;
  return (
    <div>
      <CodeBlock title="curl" what="curl command" code={curlOf(baseUrl, request, signature)} />
      <Text size="xs" c="dimmed" mt={8}>
        {isOutsideWindow(request.timestamp)
          ? 'The service would refuse this timestamp, as it is more than 300 seconds away from now: press Now before you send it.'
          : 'For bash and zsh. It works once, within 300 seconds of its timestamp: then press Now and New nonce.'}{' '}
        It holds the signature, not the secret.
      </Text>
    </div>
  );
}

/** What is signed, and what comes of it. */
function Outcome({
  signed,
  differences,
}: {
  signed: Signed;
  differences: readonly Difference[] | undefined;
}) {
  const { lines, signature } = signed;
  return (
    <>
      <Group justify="space-between" mb={-4}>
        <Title order={3} size="h5">
          String to sign
        </Title>
        <CopyButton value={lines.join('\n')} what="string to sign" />
      </Group>
      <SignedLines signed={signed} differences={differences} />
      {signature === undefined ? (
        <CodePlaceholder title="Signature">Enter a secret to see it.</CodePlaceholder>
      ) : (
        <CodeBlock title="Signature" what="signature" code={signature} wraps />
      )}
      <Curl signed={signed} />
    </>
  );
}

function Insecure() {
  return (
    <Alert m="lg" color="yellow" icon={<IconLock size={20} />} title="This page was opened over plain http">
      Browsers sign only on pages of https, and of this machine itself (localhost, 127.0.0.1). Open the portal
      by https to use the debugger; the samples below sign anywhere.
    </Alert>
  );
}

type Chooser = { onChoose(request: DebuggedRequest): void; onReset(): void };

/** What the form is filled with by one click. */
function Vectors({ onChoose, onReset }: Chooser) {
  const [name, setName] = useState('');
  const choose = (chosen: string) => {
    setName(chosen);
    if (chosen === '') onReset();
    else onChoose(vectorRequest(chosen));
  };
  return (
    <div className={classes['bar']}>
      <Button variant="light" onClick={() => choose(vectorNames[0] ?? '')}>
        Load the example
      </Button>
      <Button variant="subtle" color="gray" onClick={() => choose('')}>
        Start over
      </Button>
      <NativeSelect
        className={classes['vectors'] ?? ''}
        aria-label="Test vector"
        data={[{ value: '', label: 'Load a test vector …' }, ...vectorNames]}
        value={name}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </div>
  );
}

function Workbench() {
  const [request, setRequest] = useState(freshRequest);
  const [own, setOwn] = useState(nothing);
  const signed = useSigned(request);
  const text = signed === undefined || own.text === '' ? undefined : compareText(signed.lines, own.text);
  const hasOwn = own.signature.trim() !== '';
  const signature = signed?.signature;
  const reset = () => {
    setRequest(freshRequest());
    setOwn(nothing);
  };
  return (
    <>
      <Vectors onChoose={setRequest} onReset={reset} />
      <div className={classes['columns']}>
        <RequestForm request={request} onChange={(change) => setRequest((old) => ({ ...old, ...change }))} />
        <div className={classes['outcome']}>
          {signed === undefined ? (
            <CodePlaceholder title="String to sign">Appears once the body can be read.</CodePlaceholder>
          ) : (
            <Outcome signed={signed} differences={text?.differences} />
          )}
        </div>
        <Comparison
          own={own}
          onChange={setOwn}
          signature={signature !== undefined && hasOwn ? judgeSignature(signature, own.signature) : undefined}
          text={text?.verdict}
        />
      </div>
    </>
  );
}

/** Signs a request in the browser and shows every step, so that one finds where one's own code goes another way. */
export function SignatureDebugger() {
  return (
    <Section
      title="Signature debugger"
      description="Signs a request here, in your browser, and shows every step. Nothing you type leaves this page, and leaving it forgets everything."
    >
      {canSign() ? <Workbench /> : <Insecure />}
    </Section>
  );
}
