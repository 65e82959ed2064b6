import './cli/resolve-drizzle.mjs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { cloudflareTest } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Tests run commands by the hundred, which load wrangler and drizzle-kit each time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** The longest files of their projects, which would otherwise run alone at the end. */
const LONGEST = [
  'conformance/replay.test.ts',
  'conformance/replay-morph.test.ts',
  'unit/fuzz/interference.test.ts',
  'fuzz/bodies.test.ts',
  'fuzz/requests.test.ts',
  'upload/failures.test.ts',
  'writes/concurrent-writes.test.ts',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

/** A number that each commit has its own of; without git it is always the same. */
function seedOfCommit(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(commit.slice(0, 7), 16);
  } catch {
    return 1;
  }
}

/** Milliseconds that end what hangs, and nothing else: what takes a second on an idle machine takes minutes on a busy one. */
const SLOW = { testTimeout: 900_000, hookTimeout: 900_000, expect: { poll: { timeout: 300_000 } } };

/** Hashes of passwords as they are in production are tested in a file that replaces modules. */
const CHEAP_SCRYPT = {
  find: './scrypt-cost.ts',
  replacement: join(import.meta.dirname, 'test/support/cheap-scrypt.ts'),
};

/** As settings import it. */
const EDGEWISE = { find: /^edgewise$/, replacement: join(import.meta.dirname, 'src/worker.ts') };

const STAND_IN_NEXT = {
  find: /^next\/(cache|headers)$/,
  replacement: join(import.meta.dirname, 'test/support/stand-in-next.ts'),
};

const ASTRO_ZOD = { find: /^astro\/zod$/, replacement: 'zod' };

const KEPT_STORAGE = {
  find: './local-storage.ts',
  replacement: join(import.meta.dirname, 'test/support/kept-storage.ts'),
};

/** For projects in Node: as the commands do. */
const NODE = { ...SLOW, execArgv: ['--import', join(import.meta.dirname, 'cli/resolve-drizzle.mjs')] };

/** Imports on first use what Node answers for tests in workerd. Vite bundles what it finds, at each start of any test. */
const load = (path: string) => import(join(import.meta.dirname, path));

export default defineConfig(({ mode }) => {
  const tier = mode === 'long' ? 'long' : 'short';
  const otherTier = tier === 'long' ? [] : ['**/*.long.test.ts'];
  return {
    test: {
      // Each one loads and compiles the same modules anew.
      maxWorkers: 2,
      sequence: { sequencer: LongFirst },
      provide: { seed: seedOfCommit(), tier },
      projects: [
        {
          resolve: { alias: [CHEAP_SCRYPT, EDGEWISE, KEPT_STORAGE, STAND_IN_NEXT] },
          test: {
            name: 'unit',
            include: ['test/unit/**/*.test.ts'],
            exclude: otherTier,
            isolate: false,
            ...NODE,
          },
        },
        {
          resolve: { alias: [EDGEWISE] },
          test: { name: 'node', include: ['test/node/**/*.test.ts'], exclude: otherTier, ...NODE },
        },
        {
          // What Nuxt gives its modules.
          resolve: {
            alias: [
              EDGEWISE,
              { find: '#imports', replacement: join(import.meta.dirname, 'test/clients/nuxt-imports.ts') },
              { find: 'vue', replacement: join(import.meta.dirname, 'test/clients/vue.ts') },
            ],
          },
          test: {
            name: 'clients',
            include: ['test/clients/*.test.ts'],
            exclude: otherTier,
            globalSetup: 'test/clients/global-setup.ts',
            ...NODE,
            server: { deps: { inline: [/@nuxtjs\/strapi/] } },
          },
        },
        {
          test: {
            name: 'studio',
            include: ['test/studio/*.test.ts'],
            exclude: otherTier,
            globalSetup: 'test/studio/global-setup.ts',
            ...SLOW,
          },
        },
        {
          plugins: [
            cloudflareTest({
              wrangler: { configPath: './wrangler.toml' },
              miniflare: {
                bindings: { JWT_SECRET: 'a secret that only the tests know' },
                r2Buckets: { PRIVATE_MEDIA: 'private-media' },
                d1Databases: { REPLICA: 'replica' },
                serviceBindings: {
                  TEST_DESCRIPTION: async (request) =>
                    (await load('test/support/description-service.ts')).answerConformity(request),
                  TEST_SCHEMAS: async (request) => (await load('test/support/schema-service.ts')).answerSchema(request),
                },
              },
            }),
          ],
          resolve: { alias: [CHEAP_SCRYPT, ASTRO_ZOD] },
          test: {
            name: 'worker',
            include: ['test/{advisories,conformance,feature,fuzz}/**/*.test.ts'],
            exclude: otherTier,
            isolate: false,
            setupFiles: ['test/support/fresh-storage.ts'],
            ...SLOW,
          },
        },
        {
          plugins: [
            cloudflareTest({
              wrangler: { configPath: './wrangler.toml' },
              miniflare: {
                bindings: { JWT_SECRET: 'a secret that only the tests know' },
                serviceBindings: {
                  EDGEWISE_PROJECT: async () =>
                    (await load('testing/node-side.ts')).answerProject(import.meta.dirname)(),
                },
              },
            }),
          ],
          resolve: { alias: { 'edgewise/testing': join(import.meta.dirname, 'testing/project.ts') } },
          test: { name: 'project', include: ['test/project/*.test.ts'], ...SLOW },
        },
      ],
    },
  };
});
