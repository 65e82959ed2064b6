import { cloudflareTest } from '@cloudflare/vitest-pool-workers';
import { answerProject } from 'edgewise/testing/node';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        bindings: { JWT_SECRET: 'a secret that only the tests know' },
        serviceBindings: { EDGEWISE_PROJECT: answerProject(import.meta.dirname) },
      },
    }),
  ],
  test: {
    include: ['test/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // vitest runs what imports its own functions.
    server: { deps: { inline: ['edgewise'] } },
  },
});
