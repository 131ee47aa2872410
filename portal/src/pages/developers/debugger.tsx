import { Alert, Button, Group, NativeSelect, Text, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/section.tsx';
import { debuggerWords as words } from '../../words/developers.ts';
import { CodeBlock, CodePlaceholder } from './code-block.tsx';
import { compareText, judgeSignature } from './compare.ts';
import { Comparison, type Own } from './comparison.tsx';
import { curlOf } from './curl.ts';
import classes from './debugger.module.css';
import { type DebuggedRequest, freshRequest, linkedRequest, vectorNames, vectorRequest } from './request.ts';
import { RequestForm } from './request-form.tsx';
import { baseUrl } from './server-urls.ts';
import { type Difference, SignedLines } from './signed-lines.tsx';
import { canSign, type Signed, useSigned } from './use-signed.ts';
import { isOutsideWindow } from './warnings.ts';

const nothing: Own = { signature: '', text: '' };

function Curl({ signed: { request, signature } }: { signed: Signed }) {
  if (signature === undefined) return <CodePlaceholder title="curl">{words.curlLater}</CodePlaceholder>;
  return (
    <div>
      <CodeBlock title="curl" what={words.curlCopy} code={curlOf(baseUrl, request, signature)} />
      <Text size="xs" c="dimmed" mt={8}>
        {isOutsideWindow(request.timestamp) ? words.curlLate : words.curlOnce}
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
          {words.toSign}
        </Title>
        <CopyButton value={lines.join('\n')} what={words.toSignCopy} />
      </Group>
      <SignedLines signed={signed} differences={differences} />
      {signature === undefined ? (
        <CodePlaceholder title={words.signature}>{words.signatureLater}</CodePlaceholder>
      ) : (
        <CodeBlock title={words.signature} what={words.signatureCopy} code={signature} wraps />
      )}
      <Curl signed={signed} />
    </>
  );
}

function Insecure() {
  return (
    <Alert m="lg" color="yellow" icon={<IconLock size={20} />} title={words.insecure}>
      {words.insecureAbout}
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
        {words.loadExample}
      </Button>
      <Button variant="subtle" color="gray" onClick={() => choose('')}>
        {words.startOver}
      </Button>
      <NativeSelect
        className={classes['vectors'] ?? ''}
        aria-label={words.vector}
        data={[{ value: '', label: words.loadVector }, ...vectorNames]}
        value={name}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </div>
  );
}

function Workbench() {
  const [params] = useSearchParams();
  const [request, setRequest] = useState(() => linkedRequest(params));
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
            <CodePlaceholder title={words.toSign}>{words.toSignLater}</CodePlaceholder>
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
    <Section title={words.title} description={words.about}>
      {canSign() ? <Workbench /> : <Insecure />}
    </Section>
  );
}
