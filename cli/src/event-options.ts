import { type EventType, eventTypes, type PulledType } from '@portico/sdk';
import { wrongUsage } from './failure.ts';
import { suggestion } from './nearest.ts';

const isPulled = (type: EventType): type is PulledType => type !== 'ping';
const pulledTypes = (Object.keys(eventTypes) as EventType[]).filter(isPulled); // Object.keys forgets the literal keys

export const typesOption = {
  types: {
    type: 'string',
    multiple: true,
    value: 'TYPE,…',
    choices: pulledTypes,
    about: 'only events of these types, as in transfer.completed,transfer.failed',
  },
} as const;

export function readTypes(given: readonly string[] | undefined): PulledType[] | undefined {
  return given
    ?.flatMap((each) => each.split(','))
    .map((each) => {
      const found = pulledTypes.find((type) => type === each);
      if (found === undefined)
        throw wrongUsage(
          `--types: there is no ${each || 'empty type'}${suggestion(each, pulledTypes) || `: ${pulledTypes.join(', ')}`}`,
        );
      return found;
    });
}
