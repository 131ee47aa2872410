import { pino } from 'pino';
import type { Caller } from '../../server/src/auth/signed/open-chain.ts';
import { listHandler, listSchema } from '../../server/src/contract/collection.ts';
import { createHttp } from '../../server/src/contract/http.ts';
import { createPeers } from '../../server/src/contract/peer.ts';
import { openDatabase } from '../../server/src/db/database.ts';
import { transfers } from '../../server/src/resources/transfers/collection.ts';

/** The transfers of the service by its own code, with nothing checked before. */
const db = openDatabase({ connectionString: process.env['DATABASE_URL'] ?? '' });
const caller = { workspaceId: 1, mode: 'LIVE' } as Caller; // all that the collection looks at

const app = createHttp({ peers: createPeers([]), basePath: '', logger: pino({ level: 'warn' }) });
const schema = listSchema(transfers, { tags: [], summary: '', operationId: '', description: '' }, []);
app.get(
  '/api/v1/transfers',
  { schema },
  listHandler(transfers, { db, now: Date.now }, () => caller),
);
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
