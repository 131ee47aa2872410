import { PorticoError } from '@portico/sdk/portal';
import { sentence } from '../../ui/error-text.ts';
import { channelFormsWords } from '../../words/channel-forms.tsx';
import type { Problems } from './draft.ts';

/** The field of the form that a field of the service belongs to: config.headers.x is told at config.headers. */
const within = (name: string, field: string) => field === name || /^[.[]/.test(field.slice(name.length));

/** What the service says of the fields of the form; undefined where it speaks of anything else too. */
export function refusedFields(error: unknown, names: readonly string[]): Problems | undefined {
  if (!(error instanceof PorticoError) || error.fields.length === 0) return undefined;
  const found: { [field: string]: string } = {};
  for (const { field, message } of error.fields) {
    const name = names.find((each) => field.startsWith(each) && within(each, field));
    if (name === undefined) return undefined;
    found[name] ??= sentence(message);
  }
  return found;
}

/** Above the words of the service; undefined: nothing in particular. */
export function refusalTitle(error: unknown): string | undefined {
  if (!(error instanceof PorticoError)) return undefined;
  if (error.code === '4091') return channelFormsWords.notNow;
  return error.code === '4096' ? channelFormsWords.tooMany : undefined;
}
