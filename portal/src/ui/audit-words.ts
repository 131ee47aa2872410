import { visibleText } from './visible-text.ts';

const capitalised = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What something is done to, within a sentence: API_KEY, or api-key of an action → API key. */
export function subjectText(subject: string): string {
  return subject
    .toLowerCase()
    .replaceAll(/[_-]/g, ' ')
    .replace(/^api\b/, 'API');
}

/** api-key.previous-secret-ended → API key: previous secret ended. */
export function actionText(action: string): string {
  const [subject = '', what = ''] = action.split('.');
  return `${capitalised(subjectText(subject))}: ${what.replaceAll('-', ' ')}`;
}

/** What is done, without what it is done to: previous-secret-ended → Previous secret ended. */
export function deedText(action: string): string {
  return capitalised((action.split('.')[1] ?? action).replaceAll('-', ' '));
}

/** A value of a record, in one line. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(valueText).join(', ');
  return visibleText(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
