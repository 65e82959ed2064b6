import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloudflareTest } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { createSchemaSql } from './src/cli/migration.ts';
import { buildRegistry, type SchemaFile } from './src/registry/build.ts';

const CORPUS = 'test/conformance/corpus/content-types';

function schemaFile(path: string): SchemaFile {
  return { path, json: JSON.parse(readFileSync(path, 'utf8')) };
}

/** The recorded content model, from which the tests' tables are made. */
function recordedModel() {
  const types = readdirSync(CORPUS).filter((name) => name !== 'components');
  const components = readdirSync(join(CORPUS, 'components')).flatMap((category) =>
    readdirSync(join(CORPUS, 'components', category)).map((file) => join(CORPUS, 'components', category, file)),
  );
  return buildRegistry({
    contentTypes: types.map((name) => schemaFile(join(CORPUS, name, 'schema.json'))),
    components: components.map(schemaFile),
  });
}

const NODE_TESTS = [
  'test/unit/**/*.test.ts',
  'test/*.test.ts',
  'test/conformance/self.test.ts',
  'test/conformance/verdict.test.ts',
];
const WORKER_TESTS = [
  'test/advisories/**/*.test.ts',
  'test/feature/**/*.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/conformance/replay.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'node', include: NODE_TESTS, testTimeout: 60_000 } },
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                JWT_SECRET: 'a secret that only the tests know',
                TEST_SCHEMAS: { recorded: await createSchemaSql(recordedModel()) },
              },
            },
          })),
        ],
        test: { name: 'worker', include: WORKER_TESTS, testTimeout: 60_000 },
      },
    ],
  },
});
