import { Readable } from 'node:stream';

const main = new URL('../dist/main.js', import.meta.url);
const texts = { stdout: '', stderr: '' };
let count = 0;

// Every command adds its own listeners, as if it were the only one.
for (const emitter of [process, process.stdout]) emitter.setMaxListeners(0);
for (const name of ['stdout', 'stderr'])
  process[name].write = (text, ...rest) => {
    texts[name] += text;
    rest.find((each) => typeof each === 'function')?.();
    return true;
  };

/** One command, with the arguments, environment, folder and input of a process of its own. */
async function perform({ args, env, cwd, input }) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv.splice(1, Infinity, 'portico', ...args);
  process.exitCode = undefined;
  const stdin = Readable.from([Buffer.from(input)], { objectMode: false });
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  Object.assign(texts, { stdout: '', stderr: '' });
  count += 1;
  await import(`${main.href}?${count}`); // under another name it is run again, and what it imports is there already
  return { code: process.exitCode ?? 0, ...texts };
}

process.on('message', async (command) => process.send(await perform(command)));
