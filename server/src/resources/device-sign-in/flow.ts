import type { Static } from 'typebox';
import type { Nobody } from '../../auth/identity.ts';
import { type OpenSignIn, startSignInWithin } from '../../auth/portal/sign-ins.ts';
import { hashOfOneTimeToken, newOneTimeToken } from '../../auth/secrets/one-time-token.ts';
import type { Services } from '../../auth/services.ts';
import { addressGroup } from '../../contract/address.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Queryable } from '../../db/database.ts';
import { countsOfAddress, devicePollSeconds, refuseIfLimited, takeAll } from '../../limits/limits.ts';
import { noSuchCode } from './decide.ts';
import {
  type Crowd,
  countDeviceCodes,
  insertDeviceCode,
  type NewDeviceCode,
  selectDeviceState,
  spendDeviceCode,
} from './queries.ts';
import { type DeviceSignIn, lifeSeconds, type NewDeviceSignIn } from './schema.ts';
import { hashOfUserCode, newUserCode } from './user-code.ts';

/** Codes that wait or were denied: of one address, of its site, and in all. */
const codesMax: Crowd = { own: 20, site: 200, all: 10_000 };
const crowdSeconds = 60;

const groupOf = ({ address }: Nobody) => addressGroup(address ?? undefined);

/** For one's own share 4290, for everyone's 5030, as for all that is scarce. */
function refuseCrowd({ own, site, all }: Crowd): void {
  const isOwn = own >= codesMax.own || site >= codesMax.site;
  if (!isOwn && all < codesMax.all) return;
  throw new ApiError(
    isOwn ? '4290' : '5030',
    `too many sign-ins wait to be confirmed; try again in ${crowdSeconds} s`,
    { headers: { 'retry-after': String(crowdSeconds) } },
  );
}

/** Draws until no other has the code: with as many as there may be, once in two million. */
async function insertWithUserCode(db: Queryable, row: Omit<NewDeviceCode, 'userHash'>): Promise<string> {
  const userCode = newUserCode();
  const isFree = await insertDeviceCode(db, { ...row, userHash: hashOfUserCode(userCode) });
  return isFree ? userCode : insertWithUserCode(db, row);
}

/** Gives both codes of a sign-in that a person is to confirm. */
export function createDeviceStart({ config, db, limits, now }: Services) {
  const page = `${config.publicUrl}${config.basePath}/device`;
  return async (
    caller: Nobody,
    { clientName }: Static<typeof NewDeviceSignIn>,
  ): Promise<Static<typeof DeviceSignIn>> => {
    await takeAll(limits, countsOfAddress('device', caller.address ?? undefined), 'sign-ins of devices');
    const group = groupOf(caller);
    const nowMs = now();
    refuseCrowd(await countDeviceCodes(db, group, nowMs));
    const deviceCode = newOneTimeToken();
    const userCode = await insertWithUserCode(db, {
      deviceHash: hashOfOneTimeToken(deviceCode),
      clientName: clientName ?? null,
      address: caller.address,
      userAgent: caller.userAgent,
      addressGroup: group,
      nowMs,
      expiresAtMs: nowMs + lifeSeconds * 1000,
    });
    // Behind the #, as in every link to the portal: no browser sends it, so it is in no log.
    const verificationUriComplete = `${page}#${userCode}`;
    return {
      deviceCode,
      userCode,
      verificationUri: page,
      verificationUriComplete,
      expiresIn: lifeSeconds,
      interval: devicePollSeconds,
    };
  };
}

const pending = () =>
  new ApiError('4090', `the sign-in is not confirmed yet; try again in ${devicePollSeconds} s`, {
    headers: { 'retry-after': String(devicePollSeconds) },
  });

/** Gives the sign-in of a code once it was confirmed, and refuses until then. */
export function createDevicePoll(services: Services) {
  const { db, limits, now } = services;
  const spend = (deviceHash: Buffer, caller: Nobody) =>
    db.transaction(async (tx) => {
      const accountId = await spendDeviceCode(tx, deviceHash, now());
      return accountId === undefined ? undefined : startSignInWithin(tx, services, accountId, caller);
    });
  return async (caller: Nobody, deviceCode: string): Promise<OpenSignIn> => {
    refuseIfLimited(await limits.take('devicePollAddress', groupOf(caller)), 'polls');
    const deviceHash = hashOfOneTimeToken(deviceCode);
    const state = await selectDeviceState(db, deviceHash, now());
    if (state === undefined) throw noSuchCode();
    refuseIfLimited(await limits.take('devicePoll', deviceHash.toString('hex')), 'polls of this code');
    if (state === 'denied') throw new ApiError('4030', 'the sign-in was denied in the portal');
    if (state === 'pending') throw pending();
    const signIn = await spend(deviceHash, caller);
    if (signIn === undefined) throw noSuchCode();
    return signIn;
  };
}
