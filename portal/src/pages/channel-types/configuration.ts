import { entriesOf, inline, inWords, isObject, own } from '../../ui/json.ts';
import { shippedText } from '../../words/shipped-types.ts';

type Entry = { name: string; value: string };

/** What a type says of its channels, as far as it can be told in words. */
export type Configuration = {
  version: string | undefined;
  address: readonly Entry[];
  schema: unknown;
  /** How many settings the schema describes at its top. */
  settings: number;
  providers: readonly string[];
  /** Each is there or not, or has a value of its own. */
  capabilities: readonly { name: string; value: string | boolean }[];
};

function settingsOf(schema: unknown): number {
  return isObject(schema) ? entriesOf(own(schema, 'properties')).length : 0;
}

/** Undefined when a type has none: it is null, or nothing that has parts. */
export function configurationOf(extraConfig: unknown): Configuration | undefined {
  if (!isObject(extraConfig)) return undefined;
  const [version, address, schema, providers, capabilities] = [
    'schemaVersion',
    'address',
    'configSchema',
    'providers',
    'capabilities',
  ].map((key) => own(extraConfig, key));
  return {
    version: version === undefined ? undefined : inline(version),
    address: entriesOf(address).map(([key, value]) => ({
      name: shippedText(inWords(key)),
      value: shippedText(inline(value)),
    })),
    schema,
    settings: settingsOf(schema),
    providers: Array.isArray(providers) ? [...new Set(providers.map(inline))] : [],
    capabilities: entriesOf(capabilities).map(([key, value]) => ({
      name: shippedText(inWords(key)),
      value: typeof value === 'boolean' ? value : inline(value),
    })),
  };
}
