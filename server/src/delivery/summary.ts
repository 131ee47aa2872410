import { type EventRow, eventIdOf } from '../events/render.ts';

const idFields = ['transferId', 'bizId', 'apiKeyId', 'channelId', 'invitationId', 'accountId', 'memberId'];
const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value);

/** What it happened to, if that has an id. */
export function subjectOf({ data }: Pick<EventRow, 'data'>): string | null {
  const record = JSON.parse(data) as { [field: string]: unknown };
  return idFields.map((field) => record[field]).find(isId) ?? null;
}

/** An event for people, in a line: names and ids alone, so that nobody can write into a chat by naming something. */
export function lineOf(event: EventRow): string {
  const { sequence, type, occurredAt, mode, workspaceId } = event;
  const subject = subjectOf(event);
  const what = subject === null ? type : `${type} ${subject}`;
  return `${what} (${[mode, workspaceId, eventIdOf(sequence), occurredAt].filter(Boolean).join(', ')})`;
}
