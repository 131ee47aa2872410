import { Text, Textarea, TextInput, Title } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { debuggerWords as words } from '../../words/developers.ts';
import type { Verdict } from './compare.ts';
import classes from './debugger.module.css';

const plain = { autoComplete: 'off', autoCapitalize: 'off', autoCorrect: 'off', spellCheck: false };

/** Announced, as it answers what was pasted. */
function Answer({ verdict }: { verdict: Verdict | undefined }) {
  const Icon = verdict?.matches ? IconCheck : IconX;
  return (
    <div role="status" className={classes['verdict']} data-tone={verdict?.matches ? 'good' : 'bad'}>
      {verdict === undefined ? null : (
        <>
          <Icon size={16} aria-hidden />
          <Text size="sm">{verdict.text}</Text>
        </>
      )}
    </div>
  );
}

export type Own = { signature: string; text: string };
type Props = {
  own: Own;
  onChange(own: Own): void;
  signature: Verdict | undefined;
  text: Verdict | undefined;
};

/** What one's own code made of the same request. */
export function Comparison({ own, onChange, signature, text }: Props) {
  return (
    <div className={classes['comparison']}>
      <Title order={3} size="h5">
        {words.compare}
      </Title>
      <div>
        <TextInput
          label={words.ownSignature}
          description={words.ownSignatureAbout}
          value={own.signature}
          onChange={({ currentTarget }) => onChange({ ...own, signature: currentTarget.value })}
          classNames={{ input: classes['mono'] ?? '' }}
          {...plain}
        />
        <Answer verdict={signature} />
      </div>
      <div>
        <Textarea
          label={words.ownText}
          description={words.ownTextAbout}
          autosize
          minRows={1}
          maxRows={9}
          value={own.text}
          onChange={({ currentTarget }) => onChange({ ...own, text: currentTarget.value })}
          classNames={{ input: classes['mono'] ?? '' }}
          {...plain}
        />
        <Answer verdict={text} />
      </div>
    </div>
  );
}
