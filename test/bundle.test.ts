/**
 * @module The Worker stays small: what is deployed, minified and gzipped, keeps its budget, and has no part that is off.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generate } from '../cli/project/generate.ts';
import { readSchemaFiles } from '../cli/project/project.ts';
import type { SettingsInput } from '../src/schema/settings/config.ts';
import { makeScratch, removeScratch } from './conformance/scratch.ts';
import demo from './demo/edgewise.config.ts';
import { DEMO } from './support/demo.ts';
import { itLong } from './support/tier.ts';

/** KB */
const MAX_SIZE = 245;
const MAX_SIZE_WITHOUT_PARTS = 203;
const MAX_SIZE_OF_PREVIEWS = 6;
const MAX_SIZE_OF_HISTORY = 9.25;
const MAX_SIZE_OF_TOOLS = 12;
const MAX_SIZE_OF_PICTURES = 4.5;
const MAX_SIZE_OF_PRIVATE_FILES = 3.5;

const PRIVATE_FILES: SettingsInput = { server: { url: 'https://api.example' }, upload: { private: true } };

const WITHOUT_PARTS: SettingsInput = {
  ...demo,
  api: { rest: { publication: false } },
  preview: null,
  history: null,
  mcp: false,
  upload: { widths: [], placeholders: false },
};
const WITH_PARTS: SettingsInput = {
  ...demo,
  webhooks: [{ url: 'https://site.example/hook', events: ['entry.*'] }],
  preview: {},
  history: true,
  server: { url: 'https://api.example' },
  upload: { widths: true, placeholders: true, private: true, folders: true },
};

/** By part: the modules that only it needs. */
const MODULES = {
  publication: [
    'src/features/publication/feature.ts',
    'src/features/publication/routes.ts',
    'src/features/publication/schedule.ts',
    'src/features/publication/sql.ts',
    'src/features/publication/scheduled-entry.ts',
    'src/features/publication/description.ts',
    'src/features/publication/description-of-schedules.ts',
  ],
  preview: [
    'src/features/preview/feature.ts',
    'src/features/preview/routes.ts',
    'src/features/preview/preview-link.ts',
    'src/features/preview/preview-token.ts',
    'src/features/preview/description.ts',
    'src/features/preview/source-maps.ts',
    'src/features/preview/block-texts.ts',
    'src/features/preview/invisible.ts',
    'src/content/credentials/sql/preview-makers.ts',
    'src/features/preview/preview-body.ts',
  ],
  history: [
    'src/features/history/feature.ts',
    'src/features/history/routes.ts',
    'src/features/history/former-versions.ts',
    'src/features/history/show-former-version.ts',
    'src/features/history/restore.ts',
    'src/features/history/list-former-versions.ts',
    'src/features/history/params.ts',
    'src/features/history/filters.ts',
    'src/features/history/keep-versions.ts',
    'src/features/history/prune.ts',
    'src/content/plan/model/kept-entry.ts',
    'src/features/history/restored.ts',
    'src/features/history/renamed-entry.ts',
    'src/features/history/format-version.ts',
    'src/features/history/sql/read.ts',
    'src/content/sql/read/kept-links.ts',
    'src/features/history/sql/keep.ts',
    'src/features/history/sql/prune.ts',
    'src/features/history/description.ts',
    'src/features/history/restore-body.ts',
  ],
  mcp: [
    'src/features/mcp/feature.ts',
    'src/features/mcp/routes.ts',
    ...['api', 'arguments', 'call', 'deciding', 'describe', 'errors', 'guide', 'protocol', 'reading'].map(
      (name) => `src/features/mcp/${name}.ts`,
    ),
    ...['server', 'tools', 'uploading', 'writing'].map((name) => `src/features/mcp/${name}.ts`),
  ],
  pictures: [
    'src/features/files/pictures/feature.ts',
    'src/features/files/pictures/routes.ts',
    'src/features/files/pictures/description.ts',
    'src/features/files/pictures/made-pictures.ts',
    'src/features/files/pictures/picture-params.ts',
    'src/features/files/animation.ts',
    'src/features/files/sql/pictures.ts',
  ],
  placeholders: [
    'src/features/files/placeholders/feature.ts',
    'src/features/files/placeholders/placeholders.ts',
    'src/features/files/placeholders/decode-png.ts',
  ],
  folders: [
    'src/features/files/folders/feature.ts',
    'src/features/files/folders/routes.ts',
    'src/features/files/folders/description.ts',
    'src/features/files/folders/folders.ts',
    'src/features/files/folders/files.ts',
    'src/features/files/sql/folders.ts',
  ],
  privacy: [
    'src/features/files/private/feature.ts',
    'src/features/files/private/routes.ts',
    'src/features/files/private/description.ts',
    ...['address', 'buckets', 'sign-file', 'signer', 'uploads'].map((name) => `src/features/files/private/${name}.ts`),
  ],
  webhooks: [
    'src/features/webhooks/feature.ts',
    'src/features/webhooks/store-messages.ts',
    'src/features/webhooks/deliver.ts',
    'src/features/webhooks/payload.ts',
    'src/features/webhooks/send.ts',
    'src/features/webhooks/sql/outbox.ts',
    'src/features/webhooks/sql/deliveries.ts',
  ],
};

interface Metafile {
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>>;
}

/** A project each, since placeholders need a migration: without them, and with them. */
const folders: string[] = [];
beforeAll(async () => {
  for (const placeholders of [false, true]) {
    const folder = makeScratch(DEMO, { ...demo, upload: { placeholders } });
    folders.push(folder);
    await generate(folder);
  }
});
afterAll(() => folders.forEach(removeScratch));

/** Bundles the Worker. Returns its KB without the content types, and the names of its modules. */
async function bundle(settings: SettingsInput) {
  const folder = folders[settings.upload?.placeholders ? 1 : 0] ?? '';
  writeFileSync(join(folder, 'edgewise.config.ts'), `export default ${JSON.stringify(settings)};\n`);
  const wrangler = join(folder, 'node_modules/wrangler/bin/wrangler.js');
  const args = [wrangler, 'deploy', '--dry-run', '--outdir', 'dist', '--metafile'];
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false' };
  const done = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
  expect(done.status, done.stderr).toBe(0);
  const worker = readFileSync(join(folder, 'dist/index.js'));
  expect(worker.length).toBeGreaterThan(100_000);
  const contentTypes = gzipSync(JSON.stringify((await readSchemaFiles(folder)).files)).length;
  const { outputs } = JSON.parse(readFileSync(join(folder, 'dist/bundle-meta.json'), 'utf8')) as Metafile;
  const modules = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return { size: (gzipSync(worker).length - contentTypes) / 1024, modules };
}

it('is at most 245 KB with every part, without the content types of the deployment', async () => {
  const { size, modules } = await bundle(WITH_PARTS);
  expect(modules).toEqual(expect.arrayContaining(Object.values(MODULES).flat()));
  expect(size).toBeLessThanOrEqual(MAX_SIZE);
});

it('has no module of a part that is off, and is smaller by it', async () => {
  const { size, modules } = await bundle(WITHOUT_PARTS);
  const parts = Object.values(MODULES).flat();
  expect(modules.filter((module) => parts.includes(module) || module.endsWith('/feature.ts'))).toEqual([]);
  expect(size).toBeLessThanOrEqual(MAX_SIZE_WITHOUT_PARTS);
});

itLong.each([
  ['6 KB with previews', { preview: {} }, MAX_SIZE_OF_PREVIEWS],
  ['9.25 KB with a history', { history: true }, MAX_SIZE_OF_HISTORY],
  ['12 KB with tools for agents', { mcp: true }, MAX_SIZE_OF_TOOLS],
  [
    '4.5 KB with pictures on request and placeholders',
    { upload: { widths: true, placeholders: true } },
    MAX_SIZE_OF_PICTURES,
  ],
  ['3.5 KB with private files', PRIVATE_FILES, MAX_SIZE_OF_PRIVATE_FILES],
] satisfies [string, SettingsInput, number][])('grows by at most %s', async (_, part, max) => {
  const { size } = await bundle(WITHOUT_PARTS);
  const { size: withPart } = await bundle({ ...WITHOUT_PARTS, ...part });
  expect(withPart - size).toBeLessThanOrEqual(max);
});
