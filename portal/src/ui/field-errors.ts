import { PorticoError } from '@portico/sdk/portal';
import { sentence } from './error-text.ts';

/** What the service says of the fields of a form; undefined where it speaks of anything else too. */
export function fieldErrors<Name extends string>(
  error: unknown,
  names: readonly Name[],
): { [Each in Name]?: string } | undefined {
  if (!(error instanceof PorticoError) || error.fields.length === 0) return undefined;
  const found: { [Each in Name]?: string } = {};
  for (const { field, message } of error.fields) {
    const name = names.find((each) => each === field);
    if (name === undefined) return undefined;
    found[name] = sentence(message);
  }
  return found;
}
