import { pino } from 'pino';
import type { KeyCaller } from '../../server/src/auth/identity.ts';
import { createHttp } from '../../server/src/contract/http.ts';
import { listEndpoint } from '../../server/src/contract/list-endpoint.ts';
import { createPeers } from '../../server/src/contract/peer.ts';
import { openDatabase } from '../../server/src/db/database.ts';
import { transfers } from '../../server/src/resources/transfers/collection.ts';

/** The transfers of the service by its own code, with nothing checked before. */
const db = openDatabase({ connectionString: process.env['DATABASE_URL'] ?? '' });
const caller = { workspaceId: 1, mode: 'LIVE' } as KeyCaller; // all that the collection looks at

const app = createHttp({ peers: createPeers([]), basePath: '', logger: pino({ level: 'warn' }) });
const access = { config: {}, callerOf: () => caller, confirm: async () => {} };
const texts = { tags: [], summary: '', operationId: '', description: '' };
const route = { method: 'GET' as const, url: '/api/v1/transfers', access, ...texts };
app.route(listEndpoint(transfers, route, { db, now: Date.now }));
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
