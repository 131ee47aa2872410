import type { FastifyInstance, FastifyRequest } from 'fastify';
import { byAccount, byNobody } from '../../auth/access.ts';
import { answerSignedIn, Tokens } from '../../auth/portal/signed-in.ts';
import type { Services } from '../../auth/services.ts';
import { commandEndpoint } from '../../contract/command-endpoint.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { countsOfAddress, takeAll } from '../../limits/limits.ts';
import { confirmDevice, denyDevice, noSuchCode } from './decide.ts';
import { createDevicePoll, createDeviceStart } from './flow.ts';
import { selectAskingDevice } from './queries.ts';
import { AskingDevice, DeviceCode, DeviceSignIn, lifeSeconds, NewDeviceSignIn, UserCode } from './schema.ts';
import { hashOfUserCode } from './user-code.ts';

const tags = ['Sign-in'];
const url = '/web/v1/auth/device';

/** What the program calls that wants to be signed in (RFC 8628). */
function programRoutes(app: FastifyInstance, services: Services): void {
  const start = createDeviceStart(services);
  const poll = createDevicePoll(services);
  app.route(
    endpoint(
      {
        method: 'POST',
        url,
        access: byNobody,
        tags,
        summary: 'Ask to be signed in by a person with a browser',
        operationId: 'startDeviceSignIn',
        description: `For programs without a browser, as RFC 8628 has it. Show the user code and the link to the person, and poll with the device code. Both live for ${lifeSeconds} seconds.`,
        body: NewDeviceSignIn,
        answer: DeviceSignIn,
        errors: ['4290'],
        handle: ({ caller, body }) => start(caller, body),
      },
      services,
    ),
  );
  app.route(
    endpoint(
      {
        method: 'POST',
        url: `${url}/token`,
        access: byNobody,
        tags,
        summary: 'Fetch the tokens of a confirmed device',
        operationId: 'finishDeviceSignIn',
        description:
          'Gives the tokens once, when a person has confirmed. Until then 409 `4090` (authorization_pending): poll again after `Retry-After`. 429 `4290` (slow_down): wait for `Retry-After`, and 5 seconds longer between polls from now on. 403 `4030` (access_denied) and 404 `4040` (expired_token; also a code that was used, or whose confirming sign-in has ended): stop.',
        body: DeviceCode,
        answer: Tokens,
        errors: ['4030', '4040', '4090', '4290'],
        async handle({ caller, body, reply }) {
          return answerSignedIn(services, reply, await poll(caller, body.deviceCode), false);
        },
      },
      services,
    ),
  );
}

/** Every look at a code counts, right or wrong: a person needs two. */
const limitGuesses =
  ({ limits }: Services) =>
  async (request: FastifyRequest) => {
    const { bizId, address } = byAccount.callerOf(request);
    const ofAddress = countsOfAddress('userCodeAddress', address ?? undefined);
    await takeAll(limits, [['userCode', bizId], ...ofAddress], 'codes');
  };

/** What the portal calls for the person who decides. */
function personRoutes(app: FastifyInstance, services: Services): void {
  const { now } = services;
  const onRequest = limitGuesses(services);
  const shared = { method: 'POST', access: byAccount, tags } as const;
  const lookup = endpoint(
    {
      ...shared,
      url: `${url}/lookup`,
      summary: 'See who asks to be signed in',
      operationId: 'lookUpDeviceSignIn',
      description:
        'Who asks, from where and since when. Show it before anyone confirms: whoever confirms the code of a stranger signs the stranger in.',
      body: UserCode,
      answer: AskingDevice,
      errors: ['4040'],
      async handle({ body, db }) {
        const asking = await selectAskingDevice(db, hashOfUserCode(body.userCode), now());
        if (asking === undefined) throw noSuchCode();
        return asking;
      },
    },
    services,
  );
  const confirm = {
    ...shared,
    url: `${url}/confirm`,
    summary: 'Sign a device in',
    operationId: 'confirmDeviceSignIn',
    description:
      'The program that shows this code is signed in as the account of the access token, once, with a sign-in of its own. That the confirming sign-in ends before the tokens are fetched takes it back.',
  };
  const deny = {
    ...shared,
    url: `${url}/deny`,
    summary: 'Refuse to sign a device in',
    operationId: 'denyDeviceSignIn',
    description: 'The program that shows this code is told so at its next poll.',
  };
  app.route({ ...lookup, onRequest });
  app.route({ ...commandEndpoint(confirmDevice, confirm, services), onRequest });
  app.route({ ...commandEndpoint(denyDevice, deny, services), onRequest });
}

export async function deviceSignInRoutes(app: FastifyInstance, services: Services): Promise<void> {
  programRoutes(app, services);
  personRoutes(app, services);
}
