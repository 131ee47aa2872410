import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { ensureTools } from './tools.mjs';

const isLong = process.argv.includes('--long');
const filters = process.argv.slice(2).filter((argument) => argument !== '--long');

function run(command, args, env = {}) {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;
}

/** The counts come from the runner itself, so that a run without tests shows. */
function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'portico-results-'));
  const file = join(folder, 'results.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const status = run(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...filters],
    isLong
      ? {
          TEST_LONG: '1',
          HOSTILE_RUNS: '200000',
          TALLY_OPERATIONS: '100000',
          LOG_ROWS: '100000',
          EVENT_ROWS: '50000',
          TRANSFER_COUNT: '10000',
          REPLAY_ROUNDS: '200',
          RESTART_ROUNDS: '5',
        }
      : {},
  );
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  rmSync(folder, { recursive: true });
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
  process.stdout.write(`\n${numPassedTests} passed, ${numFailedTests} failed${skipped}\n`);
  const isGood = status === 0 && numPassedTests > 0 && numFailedTests === 0 && numFailedTestSuites === 0;
  return isGood ? 0 : status || 1;
}

if (filters.length === 0 && run('npm', ['run', '--silent', 'check']) !== 0) process.exit(1);
build();
ensureTools();
process.exit(runTests());
