import { Portico } from '@portico/sdk';
import { readApiKey, readUrl } from './settings.ts';
import { userAgent } from './version.ts';

/** Signs with the key of the environment or the profile. */
export function openApi(options: { fetch?: typeof fetch } = {}): Portico {
  return new Portico({ ...readApiKey(), baseUrl: readUrl(), userAgent: userAgent(), ...options });
}

/** The client, and the text of its last answer: parsed and printed again, large numbers would change. */
export function recordedApi(): { client: Portico; lastText(): string } {
  let text = '';
  const recordingFetch: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    text = await response.clone().text();
    return response;
  };
  return { client: openApi({ fetch: recordingFetch }), lastText: () => text };
}
