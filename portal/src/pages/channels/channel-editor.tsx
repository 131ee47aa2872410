import { Stack, Text, TextInput } from '@mantine/core';
import type { ChannelType } from '@portico/sdk/portal';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { Attempt } from '../../ui/attempt.ts';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { ModeChoice } from '../../ui/mode-choice.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { channelFormsWords } from '../../words/channel-forms.tsx';
import { shippedText } from '../../words/shipped-types.ts';
import classes from './channel-editor.module.css';
import { type Draft, type Problems, problemsOf } from './draft.ts';
import { EventTypesField } from './event-types-field.tsx';
import { ChannelBand } from './marks.tsx';
import { refusalTitle, refusedFields } from './refusal.ts';
import type { SchemaField } from './schema/fields.ts';
import { SchemaFields } from './schema/schema-fields.tsx';

type Props = {
  type: ChannelType;
  draft: Draft;
  fields: readonly SchemaField[];
  /** A mode is chosen once. */
  isNew: boolean;
  attempt: Attempt;
  submit: string;
  isOff?: boolean;
  cancel?: string;
  change(to: Partial<Draft>): void;
  onSubmit(): void;
  onCancel(): void;
};

const ownNames = ['name', 'mode', 'eventTypes', 'typeCode'];

/** Leads to the first field that is wrong, once for each refusal, of the service or of this form. */
function useFirstWrong(refusal: unknown) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusal !== null)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]')?.focus();
  }, [refusal]);
  return form;
}

/** What is wrong with the draft: as the service saw it, or, once someone tried to send it, as one sees from here. */
function useProblems({ draft, fields, attempt, onSubmit }: Props) {
  const [tries, setTries] = useState(0);
  const own = problemsOf(draft, fields);
  const names = [...ownNames, ...fields.map(({ name }) => `config.${name}`)];
  const refused = refusedFields(attempt.error, names);
  const shown: Problems = { ...(tries > 0 ? own : {}), ...refused };
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (Object.keys(own).length === 0) onSubmit();
    else setTries((count) => count + 1);
  };
  const form = useFirstWrong(refused === undefined ? tries || null : attempt.error);
  return { shown, send, form, isTold: refused !== undefined };
}

const configProblems = (problems: Problems, fields: readonly SchemaField[]) =>
  Object.fromEntries(fields.map(({ name }) => [name, problems[`config.${name}`]]));

function TypeHead({ type }: Pick<Props, 'type'>) {
  return (
    <div className={classes['head']}>
      <TypeIcon code={type.typeCode} />
      <div>
        <Text size="sm" fw={600}>
          {shippedText(type.typeName)}
        </Text>
        <Text size="xs" c="dimmed">
          {shippedText(type.typeDescription)}
        </Text>
      </div>
    </div>
  );
}

type FieldProps = Pick<Props, 'draft' | 'change'>;

function NameField({ draft, change, error }: FieldProps & { error: string | undefined }) {
  return (
    <TextInput
      data-autofocus
      label={channelFormsWords.name}
      description={channelFormsWords.nameAbout}
      value={draft.name}
      error={error}
      onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      autoComplete="off"
      required
      withAsterisk={false}
    />
  );
}

function ModeField({ draft, change }: FieldProps) {
  return (
    <ModeChoice
      mode={draft.mode}
      offered={['LIVE', 'TEST']}
      description={channelFormsWords.modeAbout}
      meanings={{ LIVE: channelFormsWords.liveMeaning, TEST: channelFormsWords.testMeaning }}
      onChange={(mode) => change({ mode })}
    />
  );
}

/** What a channel is and tells of, for a new one and for one that is there. */
export function ChannelEditor(props: Props) {
  const { type, draft, fields, isNew, attempt, submit, isOff = false, cancel, change, onCancel } = props;
  const { shown, send, form, isTold } = useProblems(props);
  const setValue = (name: string, value: string) => change({ values: { ...draft.values, [name]: value } });
  return (
    <form ref={form} onSubmit={send} noValidate>
      <ChannelBand mode={draft.mode} />
      <TypeHead type={type} />
      <Stack gap="lg">
        <NameField draft={draft} change={change} error={shown['name']} />
        <SchemaFields
          fields={fields}
          values={draft.values}
          problems={configProblems(shown, fields)}
          change={setValue}
        />
        {isNew ? <ModeField draft={draft} change={change} /> : null}
        <EventTypesField
          chosen={draft.eventTypes}
          error={shown['eventTypes']}
          onChange={(eventTypes) => change({ eventTypes })}
        />
      </Stack>
      <DialogFoot
        submit={submit}
        isOff={isOff}
        {...(cancel === undefined ? {} : { cancel })}
        isPending={attempt.isPending}
        error={isTold ? null : attempt.error}
        errorTitle={refusalTitle(attempt.error)}
        onCancel={onCancel}
      />
    </form>
  );
}
