import { Portico } from '@portico/sdk';
import { readApiKey, readUrl } from './settings.ts';
import { userAgent } from './version.ts';

/** The client, and the text of its last answer: parsed and printed again, large numbers would change. */
export function openApi(): { client: Portico; lastText(): string } {
  let text = '';
  const recordingFetch: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    text = await response.clone().text();
    return response;
  };
  const client = new Portico({
    ...readApiKey(),
    baseUrl: readUrl(),
    userAgent: userAgent(),
    fetch: recordingFetch,
  });
  return { client, lastText: () => text };
}
