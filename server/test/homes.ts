import { createHash } from 'node:crypto';
import { existsSync, realpathSync, rmSync } from 'node:fs';

/** Removes a PORTICO_HOME of tests and, as root, what stands for it where `nobody` can reach it. */
export function removeHome(home: string): void {
  if (!existsSync(home)) return;
  const hash = createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 16);
  for (const base of ['/var/lib/portico', '/run/portico'])
    rmSync(`${base}/${hash}`, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
}
