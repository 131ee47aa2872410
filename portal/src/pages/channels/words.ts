import { type ChannelRecord, type DeliveryRecord, type EventType, eventTypes } from '@portico/sdk/portal';
import { formatRelative } from '../../ui/format.ts';
import { channelsWords, deliveriesWords, eventGroupWords } from '../../words/channels.ts';

/** What a channel can be told of: all but the test of a channel, which goes to that channel alone. */
export const chosenTypes = Object.keys(eventTypes).filter((type) => type !== 'ping') as EventType[]; // Object.keys forgets the literal keys

export type Group = { readonly name: string; types: readonly EventType[] };

const subjects = Object.keys(eventGroupWords) as (keyof typeof eventGroupWords)[]; // Object.keys forgets the literal keys

/** The types by what they are about: Transfers, Files, API keys. */
export const typeGroups: readonly Group[] = subjects.map((subject) => ({
  get name() {
    return eventGroupWords[subject];
  },
  types: chosenTypes.filter((type) => type.startsWith(`${subject}.`)),
}));

/** "All", "Transfers", "Transfers, file.created" or "6 of 21": whole groups by their name, and never more than fits. */
export function typesText(types: readonly string[]): string {
  if (chosenTypes.every((type) => types.includes(type))) return channelsWords.allEvents;
  const whole = typeGroups.filter((group) => group.types.every((type) => types.includes(type)));
  const others = types.filter((type) => !whole.some((group) => group.types.some((each) => each === type)));
  const parts = [...whole.map(({ name }) => name), ...others];
  return parts.length <= 2
    ? parts.join(channelsWords.between)
    : channelsWords.someEvents(types.length, chosenTypes.length);
}

function disabledText(reason: ChannelRecord['disabledReason']): string {
  if (reason === 'OWNER') return channelsWords.disabledByOwner;
  if (reason === 'GONE') return channelsWords.disabledAsGone;
  return reason === 'FAILED' ? channelsWords.disabledAsFailed : channelsWords.disabled;
}

type Health = Pick<ChannelRecord, 'status' | 'disabledReason' | 'failingSince' | 'lastSuccessAt'>;

/** How a channel is, in a sentence or two. */
export function healthText(
  { status, disabledReason, failingSince, lastSuccessAt }: Health,
  nowMs: number,
): string {
  if (status === 'DISABLED') return channelsWords.untilEnabled(disabledText(disabledReason));
  if (status === 'FAILING')
    return channelsWords.failing(failingSince === null ? undefined : formatRelative(failingSince, nowMs));
  return lastSuccessAt === null ? channelsWords.nothingYet : channelsWords.arrives;
}

const secondsMax = 60;

/** "now", "in 12 seconds", "in 5 minutes". */
export function soonText(iso: string, nowMs: number): string {
  const seconds = Math.ceil((Date.parse(iso) - nowMs) / 1000);
  if (Number.isNaN(seconds)) return iso;
  if (seconds <= 0) return deliveriesWords.now;
  if (seconds < secondsMax) return deliveriesWords.inSeconds(seconds);
  return formatRelative(iso, nowMs);
}

type Next = Pick<DeliveryRecord, 'status' | 'nextAttemptAt' | 'attempts'>;

/** What comes next for a delivery; empty: nothing. */
export function nextText({ status, nextAttemptAt, attempts }: Next, nowMs: number): string {
  if (status !== 'PENDING' || nextAttemptAt === null) return '';
  const when = soonText(nextAttemptAt, nowMs);
  return attempts === 0 ? deliveriesWords.first(when) : deliveriesWords.next(when);
}

/** "200", or that there was no answer; empty where none was wanted, or nothing was sent yet. */
export function responseText({ responseStatus, attempts, status }: DeliveryRecord): string {
  if (responseStatus !== null) return String(responseStatus);
  return attempts === 0 || status === 'SUCCEEDED' ? '' : deliveriesWords.noAnswer;
}
