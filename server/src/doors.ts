import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';

/** What the driver of the event loop has for a socket, and the types of Node do not declare. */
type Handle = { readonly fd: number };

const answerMs = 10_000;

/** Gives back what it is given: what comes back is a second hold on the same socket. */
const echo = `process.on('message', (text, handle) => process.send(text, handle))`;

async function duplicate(handle: Handle, count: number): Promise<Handle[]> {
  const child = spawn(process.execPath, ['-e', echo], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const handles: Handle[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const late = () => reject(new Error(`no answer within ${answerMs} ms`));
      timer = setTimeout(late, answerMs);
      child.once('error', reject).once('exit', () => reject(new Error('the helper ended')));
      child.on('message', (_text, received) => {
        handles.push(received as unknown as Handle); // as it was sent
        if (handles.length === count) resolve();
      });
      // Sent bare: as a server it would begin to take connections in the other process.
      for (let sent = 0; sent < count; sent += 1) child.send('', handle as unknown as Server);
    });
  } finally {
    clearTimeout(timer);
    child.removeAllListeners('exit').kill('SIGKILL');
  }
  return handles;
}

/**
 * The event loop takes one new connection from a listener in each of its turns. When turns are long, as under load, new
 * clients would wait for seconds; with several listeners on the one socket it takes several.
 */
export async function openDoors(server: Server, count: number): Promise<Server[]> {
  const { _handle: handle } = server as Server & { _handle: Handle }; // a server that listens has one
  const handles = await duplicate(handle, count);
  return Promise.all(
    handles.map(
      (each) =>
        new Promise<Server>((resolve, reject) => {
          // As http's own server takes them.
          const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
            server.emit('connection', socket),
          );
          door.once('error', reject).listen(each, () => resolve(door));
        }),
    ),
  );
}
