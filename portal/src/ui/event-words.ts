import { deedTexts, deedWords } from '../words/deeds.ts';
import { capitalised, inWords, subjectText } from './audit-words.ts';
import { isObject, own } from './json.ts';
import { recordPlaceOf } from './record-places.ts';
import { visibleText } from './visible-text.ts';

/** transfer.completed → Transfer completed. */
export function eventText(type: string): string {
  const [subject = '', what] = type.split('.');
  if (what === undefined) return type === 'ping' ? deedTexts.ping : capitalised(type);
  return deedTexts.event(capitalised(subjectText(subject)), inWords(deedWords, what));
}

/** What people know a record by, in the order of preference. */
const names = ['originalFilename', 'name', 'email', 'reference'];

/** Which record an event is about, in words; empty: nothing tells it. */
export function aboutText(data: unknown): string {
  if (!isObject(data)) return '';
  const texts = names.map((key) => own(data, key)).filter((text) => typeof text === 'string' && text !== '');
  const [amount, currency] = [own(data, 'amount'), own(data, 'currency')];
  const money = typeof amount === 'string' && typeof currency === 'string' ? [`${amount} ${currency}`] : [];
  return [...money, ...texts.slice(0, 1)].map((text) => visibleText(String(text))).join(' · ');
}

export type Place = { path: string; parameters: { [name: string]: string } };

/** The page that shows what an event is about; undefined: there is none any more. */
export function placeOf(type: string, data: unknown): Place | undefined {
  if (type === 'file.deleted') return undefined;
  const [subject = ''] = type.split('.');
  if (subject === 'member') return { path: '/members', parameters: {} };
  const place = recordPlaceOf(subject);
  const id = place === undefined || !isObject(data) ? undefined : own(data, place.id);
  if (place === undefined || typeof id !== 'string') return undefined;
  return { path: place.path, parameters: { [place.parameter]: id } };
}
