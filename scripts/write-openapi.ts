import { writeFileSync } from 'node:fs';
import { buildAppWithoutDatabase } from './app-without-database.ts';

const app = await buildAppWithoutDatabase();
const file = new URL('../docs/openapi.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(app.swagger(), null, 2)}\n`);
await app.close();
