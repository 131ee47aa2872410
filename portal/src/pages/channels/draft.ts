import {
  type ChannelChange,
  type ChannelRecord,
  keyModes,
  type Mode,
  type NewChannel,
} from '@portico/sdk/portal';
import { isObject, own } from '../../ui/json.ts';
import { channelFormsWords } from '../../words/channel-forms.tsx';
import type { SchemaField } from './schema/fields.ts';
import { configOf, problemOf, type Values, valuesOf } from './schema/values.ts';

/** What was typed so far for a channel. */
export type Draft = { name: string; mode: Mode; eventTypes: readonly string[]; values: Values };

const nameMax = 128;

export const schemaOf = (extraConfig: unknown): unknown =>
  isObject(extraConfig) ? own(extraConfig, 'configSchema') : undefined;

export function emptyDraft(fields: readonly SchemaField[], mode: Mode): Draft {
  return { name: '', mode, eventTypes: [], values: valuesOf(fields, undefined) };
}

export const draftOf = (
  { name, mode, eventTypes, config }: ChannelRecord,
  fields: readonly SchemaField[],
): Draft => ({ name, mode, eventTypes, values: valuesOf(fields, config) });

/** What is wrong, by the names that the service has for the fields. */
export type Problems = { readonly [field: string]: string };

function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return channelFormsWords.nameNeeded;
  const length = [...name].length;
  return length > nameMax ? channelFormsWords.nameTooLong(nameMax, length) : undefined;
}

/** Everything that keeps a draft from being sent. */
export function problemsOf(draft: Draft, fields: readonly SchemaField[]): Problems {
  const found = [
    ['name', nameProblem(draft.name)],
    ['eventTypes', draft.eventTypes.length === 0 ? channelFormsWords.chooseOne : undefined],
    ...fields.map((field) => [`config.${field.name}`, problemOf(field, draft.values[field.name] ?? '')]),
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined));
}

export function newChannelOf(typeCode: string, draft: Draft, fields: readonly SchemaField[]): NewChannel {
  const code = Object.entries(keyModes).find(([, each]) => each === draft.mode)?.[0];
  const { name, eventTypes, values } = draft;
  return {
    typeCode,
    name,
    mode: Number(code),
    eventTypes: [...eventTypes],
    config: configOf(fields, values),
  };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const sorted = (types: readonly string[]) => [...types].sort();

/** What differs, and nothing else: someone else may be changing the rest. */
export function changeOf(known: Draft, draft: Draft, fields: readonly SchemaField[]): ChannelChange {
  const [before, config] = [known, draft].map(({ values }) => configOf(fields, values));
  return {
    ...(draft.name === known.name ? {} : { name: draft.name }),
    ...(isSame(sorted(draft.eventTypes), sorted(known.eventTypes))
      ? {}
      : { eventTypes: [...draft.eventTypes] }),
    ...(config === undefined || isSame(before, config) ? {} : { config }),
  };
}
