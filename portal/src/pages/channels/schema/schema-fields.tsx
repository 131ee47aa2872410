import { Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { inline } from '../../../ui/json.ts';
import { schemaFormWords } from '../../../words/schema-form.ts';
import type { SchemaField } from './fields.ts';
import classes from './schema-fields.module.css';
import type { Values } from './values.ts';

type InputProps = {
  field: SchemaField;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
};

function hintOf({ description, isKept, rules, kind }: SchemaField): string | undefined {
  const { minimum, maximum } = rules;
  const isRange = kind === 'integer' || kind === 'number';
  const range =
    isRange && minimum !== undefined && maximum !== undefined
      ? schemaFormWords.fromTo(minimum, maximum)
      : undefined;
  const kept = isKept ? schemaFormWords.kept : undefined;
  const all = [description ?? range, kept].filter((each) => each !== undefined);
  return all.length === 0 ? undefined : schemaFormWords.sentences(all);
}

/** A number is typed as text: what is wrong with it is told in words, and nothing typed is thrown away. */
const modes = { integer: 'numeric', number: 'decimal', url: 'url', email: 'email' } as const;
const modeOf = (kind: SchemaField['kind']) => (kind in modes ? modes[kind as keyof typeof modes] : 'text'); // just looked

function Choice({ field, value, error, onChange }: InputProps) {
  const none = field.isRequired ? schemaFormWords.chooseOne : schemaFormWords.none;
  return (
    <NativeSelect
      label={field.label}
      description={hintOf(field)}
      required={field.isRequired}
      withAsterisk={false}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: '', label: none },
        ...field.options.map((option, at) => ({ value: String(at), label: inline(option) })),
      ]}
    />
  );
}

function SchemaInput(props: InputProps) {
  const { field, value, error, onChange } = props;
  const shared = {
    label: field.isRequired ? field.label : schemaFormWords.optional(field.label),
    description: hintOf(field),
    required: field.isRequired,
    withAsterisk: false,
    value,
    error,
    spellCheck: false,
  } as const;
  if (field.kind === 'choice') return <Choice {...props} />;
  if (field.kind === 'boolean')
    return (
      <Checkbox
        label={field.label}
        description={hintOf(field)}
        error={error}
        checked={value === 'true'}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
      />
    );
  const change = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value);
  if (field.isSecret)
    return (
      <PasswordInput
        {...shared}
        onChange={change}
        // No browser is to offer a password of its own, nor to keep this one.
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': schemaFormWords.showTyped }}
      />
    );
  if (field.kind === 'json')
    return <Textarea {...shared} onChange={change} rows={4} classNames={{ input: classes['mono'] ?? '' }} />;
  return <TextInput {...shared} onChange={change} inputMode={modeOf(field.kind)} autoComplete="off" />;
}

type Props = {
  fields: readonly SchemaField[];
  values: Values;
  /** What is wrong, by the name of the field. */
  problems: { readonly [name: string]: string | undefined };
  change(name: string, value: string): void;
};

/** The fields of a form that a schema describes. */
export function SchemaFields({ fields, values, problems, change }: Props) {
  return fields.map((field) => (
    <SchemaInput
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      error={problems[field.name]}
      onChange={(value) => change(field.name, value)}
    />
  ));
}
