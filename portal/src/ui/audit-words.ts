import { deedTexts, deedWords, subjectWords } from '../words/deeds.ts';
import { visibleText } from './visible-text.ts';

export const capitalised = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** As the catalogue has it; what it does not have is told as it is. */
export const inWords = (catalogue: Readonly<Record<string, string>>, code: string) =>
  (Object.hasOwn(catalogue, code) ? catalogue[code] : undefined) ?? code.replaceAll('-', ' ');

/** What something is done to, within a sentence: API_KEY, or api-key of an action → API key. */
export const subjectText = (subject: string): string =>
  inWords(subjectWords, subject.toLowerCase().replaceAll('_', '-'));

/** api-key.previous-secret-ended → API key: previous secret ended. */
export function actionText(action: string): string {
  const [subject = '', what = ''] = action.split('.');
  return deedTexts.action(capitalised(subjectText(subject)), inWords(deedWords, what));
}

/** What is done, without what it is done to: previous-secret-ended → Previous secret ended. */
export const deedText = (action: string): string =>
  capitalised(inWords(deedWords, action.split('.')[1] ?? action));

/** A value of a record, in one line. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return deedTexts.none;
  if (Array.isArray(value)) return value.length === 0 ? deedTexts.none : value.map(valueText).join(', ');
  return visibleText(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
