import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,sdk,cli,portal,e2e}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['server/test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
