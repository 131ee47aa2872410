import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { NetworkError, PorticoError } from '@portico/sdk';
import type { DeviceSignIn, PorticoPortal, Tokens } from '@portico/sdk/portal';
import { isRefusal } from './errors.ts';
import { failedCheck } from './failure.ts';
import { note, visible } from './output/terminal.ts';

/** RFC 8628 sections 3.2 and 3.5: where the server names no interval, and by how much it grows when polls come too often. */
const intervalSecondsDefault = 5;
const slowerSeconds = 5;
const intervalSecondsMax = 60;
/** A timer that is told to wait for more than 24 days fires at once. */
const lifeSecondsMax = 3600;
/** Between two polls of a server that does not answer. */
const awaySecondsMax = 30;
const nameMax = 64;

/** Shown to who confirms. */
function clientName(): string {
  const name = `portico on ${hostname()}`.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
  return [...name].slice(0, nameMax).join('');
}

const bounded = (seconds: number, max: number, fallback: number) =>
  Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), max) : fallback;

const lifeSecondsOf = ({ expiresIn }: DeviceSignIn) => bounded(expiresIn, lifeSecondsMax, lifeSecondsMax);

function explain(device: DeviceSignIn): void {
  note(`Open ${visible(device.verificationUriComplete)} in a browser,`);
  note(`and confirm there that the code is ${visible(device.userCode)}.`);
  note(`It is good for ${Math.ceil(lifeSecondsOf(device) / 60)} min; Ctrl-C gives up.`);
}

/** Seconds: between polls from now on, and to the next one. */
type Pace = { interval: number; wait: number };

/** Throws what no further poll would change. */
function paceAfter(error: unknown, { interval, wait }: Pace): Pace {
  if (!(error instanceof PorticoError)) throw error;
  const told = error.retryAfterSeconds ?? 0;
  if (isRefusal(error, '4090')) return { interval, wait: Math.max(interval, told) };
  if (error.status === 429) {
    const slower = interval + slowerSeconds;
    return { interval: slower, wait: Math.max(slower, told) };
  }
  if (isRefusal(error, '4030')) throw failedCheck('the sign-in was denied in the portal');
  if (isRefusal(error, '4040'))
    throw failedCheck('the code has expired or was used: run portico login again');
  const isPassing = error instanceof NetworkError || (error.status ?? 0) >= 500;
  if (!isPassing) throw error;
  return { interval, wait: Math.max(interval, told, Math.min(wait * 2, awaySecondsMax)) };
}

async function poll(portal: PorticoPortal, device: DeviceSignIn, signal: AbortSignal): Promise<Tokens> {
  const { deviceCode } = device;
  const endsAtMs = performance.now() + lifeSecondsOf(device) * 1000;
  const interval = bounded(device.interval, intervalSecondsMax, intervalSecondsDefault);
  let pace: Pace = { interval, wait: interval };
  for (;;) {
    const leftMs = Math.max(endsAtMs - performance.now(), 0);
    const isLast = pace.wait * 1000 >= leftMs;
    const waitMs = isLast ? leftMs : pace.wait * 1000;
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    try {
      return await portal.finishDeviceSignIn({ deviceCode }, { signal });
    } catch (error) {
      pace = paceAfter(error, pace);
      if (!isLast) continue;
      throw error instanceof NetworkError
        ? error
        : failedCheck('the code has expired: run portico login again');
    }
  }
}

/** Shows a code and waits until someone has confirmed it in a browser. */
export async function signInByDevice(portal: PorticoPortal): Promise<Tokens> {
  const giveUp = new AbortController();
  const onInterrupt = () => giveUp.abort(failedCheck('given up'));
  process.once('SIGINT', onInterrupt);
  try {
    const device = await portal.startDeviceSignIn({ clientName: clientName() }, { signal: giveUp.signal });
    explain(device);
    return await poll(portal, device, giveUp.signal);
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}
