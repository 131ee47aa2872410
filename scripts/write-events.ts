import { writeFileSync } from 'node:fs';
import { buildAppWithoutDatabase } from './app-without-database.ts';
import { eventsDocument } from './events-document.ts';

const app = await buildAppWithoutDatabase();
const file = new URL('../docs/events.md', import.meta.url);
writeFileSync(file, eventsDocument(app.swagger() as unknown as Parameters<typeof eventsDocument>[0])); // the plugin does not type webhooks
await app.close();
