import { formatCount } from '../../../ui/format.ts';
import { inline, isObject, own } from '../../../ui/json.ts';
import { schemaFormWords } from '../../../words/schema-form.ts';
import type { SchemaField } from './fields.ts';

/** What was typed, by the name of the field: a choice by its place among the options, the rest as text. */
export type Values = { readonly [name: string]: string };

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function textOf({ kind, options }: SchemaField, value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'choice') {
    const at = options.findIndex((each) => isSame(each, value));
    return at === -1 ? '' : String(at);
  }
  return kind === 'json' ? JSON.stringify(value, undefined, 2) : inline(value);
}

/** What a form begins with: what is there, or else what is usual. */
export function valuesOf(fields: readonly SchemaField[], config: unknown): Values {
  const entries = fields.map((field) => {
    if (!isObject(config)) return [field.name, textOf(field, field.usual)];
    return [field.name, field.isSecret ? '' : textOf(field, own(config, field.name))];
  });
  return Object.fromEntries(entries);
}

/** Typed by people, who leave spaces around it. */
const typed = ({ kind, isSecret }: SchemaField, text: string) =>
  kind === 'text' && !isSecret ? text : text.trim();

function parsed({ kind, options }: SchemaField, text: string): unknown {
  switch (kind) {
    case 'integer':
    case 'number':
      return Number(text);
    case 'boolean':
      return text === 'true';
    case 'choice':
      return options[Number(text)];
    case 'json':
      return JSON.parse(text);
    default:
      return text;
  }
}

/** What the service is sent. What is empty is left out; of a box that is not ticked one knows that. */
export function configOf(fields: readonly SchemaField[], values: Values): { [name: string]: unknown } {
  const filled = fields
    .map((field) => ({ field, text: typed(field, own(values, field.name) as string) })) // valuesOf gave each one
    .filter(({ field, text }) => field.kind === 'boolean' || text !== '');
  return Object.fromEntries(filled.map(({ field, text }) => [field.name, parsed(field, text)]));
}

function rangeProblem(value: number, { minimum: min, maximum: max }: SchemaField['rules']) {
  if (min !== undefined && value < min) return schemaFormWords.atLeast(formatCount(min));
  return max !== undefined && value > max ? schemaFormWords.atMost(formatCount(max)) : undefined;
}

function lengthProblem(length: number, { minLength: min, maxLength: max }: SchemaField['rules']) {
  if (min !== undefined && length < min) return schemaFormWords.charactersMin(min, formatCount(min));
  return max !== undefined && length > max ? schemaFormWords.charactersMax(max, formatCount(max)) : undefined;
}

/** A pattern that no browser understands is for the service to judge. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function textProblem({ kind, rules }: SchemaField, text: string): string | undefined {
  if (kind === 'url' && !URL.canParse(text)) return schemaFormWords.url;
  if (kind === 'email' && !/^[^@\s]+@[^@\s]+$/.test(text)) return schemaFormWords.email;
  const length = lengthProblem([...text].length, rules);
  if (length !== undefined) return length;
  const { pattern } = rules;
  return pattern === undefined || matches(pattern, text) ? undefined : schemaFormWords.match(pattern);
}

function numberProblem({ kind, rules }: SchemaField, text: string): string | undefined {
  const value = Number(text);
  if (kind === 'integer' && !/^-?\d+$/.test(text)) return schemaFormWords.wholeNumber;
  return Number.isFinite(value) ? rangeProblem(value, rules) : schemaFormWords.number;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with what was typed, as far as one sees without the service. */
export function problemOf(field: SchemaField, given: string): string | undefined {
  const text = typed(field, given);
  if (field.kind === 'boolean') return undefined;
  if (text === '') return field.isRequired ? schemaFormWords.needed(field.label) : undefined;
  if (field.kind === 'choice') return undefined;
  if (field.kind === 'json') return isJson(text) ? undefined : schemaFormWords.json;
  return field.kind === 'integer' || field.kind === 'number'
    ? numberProblem(field, text)
    : textProblem(field, text);
}
