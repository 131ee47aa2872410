import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { findAccount } from './auth/portal/accounts.ts';
import { createSightings } from './auth/portal/sightings.ts';
import { guardWebChain } from './auth/portal/web-chain.ts';
import type { Services } from './auth/services.ts';
import { findApiKey } from './auth/signed/api-key-lookup.ts';
import { createKeyUsage } from './auth/signed/key-usage.ts';
import { claimNothing } from './auth/signed/nonces.ts';
import { guardOpenChain } from './auth/signed/open-chain.ts';
import { sign, stringToSign } from './auth/signed/signature.ts';
import { admitRequests } from './contract/gate.ts';
import { createHttp, refuseStrays } from './contract/http.ts';
import type { Queryable } from './db/database.ts';
import { createLimits, memoryBuckets } from './limits/limits.ts';
import { transferRoutes } from './resources/transfers/routes.ts';
import { workspaceTransferRoutes } from './resources/transfers/workspace-routes.ts';

/** More would make the first requests no faster. */
const requestsMax = 20;
/** On a machine that is busy the rest is left to those who ask. */
const timeMs = 2000;

const nobody = { bizId: 'nobody', apiKeyId: `ak_live_${'0'.repeat(26)}`, secret: 'nobody' };

/** What admission asks the database, of nobody: it finds nothing and leaves nothing. */
export async function rehearseAdmission(db: Queryable): Promise<void> {
  await findAccount(db, { issuer: 'portico', value: nobody.bizId, signIn: null });
  await findApiKey(db, nobody.apiKeyId);
  await claimNothing(db);
}

/** The same chains and lists, with a memory of their own for whatever a request leaves behind. */
async function buildStage(services: Services) {
  const { config, peers, now } = services;
  const apart: Services = {
    ...services,
    limits: createLimits(config.limits, memoryBuckets(now)),
    sightings: createSightings(),
    usage: createKeyUsage(),
    signedRoutes: [],
  };
  const prefix = config.basePath;
  const app = createHttp({ peers, basePath: prefix, logger: pino({ level: 'silent' }) });
  admitRequests(app, peers, new Registry());
  refuseStrays(app, peers, prefix);
  const portal = async (scope: typeof app) => {
    guardWebChain(scope, apart);
    await workspaceTransferRoutes(scope, apart);
  };
  const signed = async (scope: typeof app) => {
    guardOpenChain(scope, apart);
    await transferRoutes(scope, apart);
  };
  await app.register(portal, { prefix });
  await app.register(signed, { prefix });
  return app;
}

function signedRequest({ config, now }: Services) {
  const path = '/api/v1/transfers';
  const parts = {
    ...{ method: 'GET', path, query: '', body: Buffer.alloc(0) },
    ...{ timestamp: String(Math.floor(now() / 1000)), nonce: randomUUID(), apiKeyId: nobody.apiKeyId },
  };
  return {
    url: `${config.basePath}${path}`,
    headers: {
      'x-api-key': parts.apiKeyId,
      'x-timestamp': parts.timestamp,
      'x-nonce': parts.nonce,
      'x-signature': sign(nobody.secret, stringToSign(parts)),
    },
  };
}

/**
 * Code is compiled when it first runs, and keys are loaded when they are first used: here by requests of nobody, who is refused,
 * and not by the first who come.
 */
export async function rehearseRequests(services: Services): Promise<void> {
  const { config, now, tokens } = services;
  const endsMs = performance.now() + timeMs;
  const stage = await buildStage(services);
  try {
    const grant = { accountBizId: nobody.bizId, signInId: randomUUID(), endsAtMs: now() + timeMs };
    const { token } = tokens.issue(grant);
    const list = {
      url: `${config.basePath}/web/v1/workspaces/${nobody.bizId}/transfers`,
      headers: { authorization: `Bearer ${token}` },
    };
    for (let count = 0; count < requestsMax && performance.now() < endsMs; count += 1) {
      await stage.inject(list);
      await stage.inject(signedRequest(services));
    }
  } finally {
    await stage.close();
  }
}
