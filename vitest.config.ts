import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,sdk,cli,portal,e2e}/**/*.test.ts'],
    // What takes minutes and is a guarantee of no request: npm run test:long.
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      ...(process.env['TEST_LONG'] === '1' ? [] : ['**/*.long.test.ts']),
    ],
    globalSetup: ['server/test/global-setup.ts'],
    pool: 'forks',
    // One more than the cores that are promised: workers often wait for a process, a browser or a clock.
    maxWorkers: 3,
    // A worker loads the service and starts a browser once, not for every file.
    isolate: false,
    // What has to happen is waited for, on a busy machine too; only what never happens fails.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
