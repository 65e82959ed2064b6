import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openArchive } from '../../../../cli/core/archive/archive-file.ts';
import { importArchive } from '../../../../cli/import/import.ts';
import { archiveOf } from '../../../support/archive.ts';
import { wranglerToml } from '../cloudflare.ts';
import { hearPrinted } from '../heard.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';
import { link, MAGAZINE, SCHEMAS } from './magazine.ts';

const [article, ...otherSchemas] = SCHEMAS as readonly { attributes: object }[];

/** The magazine, with what a real Strapi has beside content that can come. */
const ARCHIVE = {
  ...MAGAZINE,
  schemas: [{ ...article, attributes: { ...article?.attributes, place: { type: 'map-point' } } }, ...otherSchemas],
  entities: [
    ...MAGAZINE.entities,
    { type: 'plugin::map.place', id: 1, data: { documentId: 'place', publishedAt: null } },
    { type: 'plugin::content-releases.release', id: 1, data: { documentId: 'release', publishedAt: null } },
  ],
  links: [
    ...MAGAZINE.links,
    link({ type: 'plugin::map.place', field: 'tag', ref: 1 }, { type: 'api::tag.tag', ref: 21 }),
  ],
  configuration: [
    ...MAGAZINE.configuration,
    {
      type: 'core-store',
      value: { key: 'plugin_content_manager_configuration_content_types::api::tag.tag', value: {} },
    },
    { type: 'core-store', value: { key: 'plugin_users-permissions_email', value: { reset_password: {} } } },
  ],
};

let project: ScratchProject;
const printed = hearPrinted(process.stdout);
beforeAll(async () => {
  project = scratchProject();
  project.write('wrangler.toml', `${wranglerToml('test')}[[r2_buckets]]\nbinding = "MEDIA"\nbucket_name = "test"\n`);
  symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(project.root, 'node_modules'));
  writeFileSync(join(project.root, 'archive.tar.gz'), await archiveOf(ARCHIVE));
});
afterAll(() => {
  vi.restoreAllMocks();
  project.remove('.');
});

const look = (flags: object = {}) =>
  importArchive(project.root, openArchive(join(project.root, 'archive.tar.gz'), undefined), {
    ...{ dryRun: true, backup: true, persistTo: join(project.root, 'state') },
    ...flags,
  });

/** The lines below a title. */
function below(title: string): readonly string[] {
  const lines = printed.text.split('\n');
  const from = lines.findIndex((line) => line.startsWith(title)) + 1;
  const to = lines.findIndex((line, index) => index >= from && !line.startsWith('  '));
  return from === 0 ? [] : lines.slice(from, to).map((line) => line.trim());
}

describe('a look at an archive before its import', () => {
  it('lists what comes by kind, with counts that add up to all that comes', async () => {
    await look();
    expect(below('Comes:')).toEqual([
      '2 content types and 2 components',
      expect.stringMatching(/^api::article\.article: \d+ documents, \d+ versions$/),
      expect.stringMatching(/^api::tag\.tag: \d+ documents, \d+ versions$/),
      '1 upload in the media library',
      '2 folders in the media library',
      '1 user, password included',
      expect.stringMatching(/^2 roles, 2 locales, 1 webhook.*: settings, with what each role may do$/),
    ]);
    printed.text = '';
    await look({ json: true });
    const { comes, imported } = JSON.parse(printed.text);
    const sum = (of: 'documents' | 'versions') =>
      comes.types.reduce((total: number, type: Record<string, number>) => total + (type[of] ?? 0), 0);
    expect({ documents: sum('documents'), versions: sum('versions') }).toEqual({
      documents: imported.documents,
      versions: imported.versions,
    });
  });

  it('lists what does not come: content of plugins, attributes, settings and views', async () => {
    await look();
    expect(below('Does not come:')).toEqual(
      expect.arrayContaining([
        '1 document, 1 version and 1 link: plugin::map.place: there is no such content type here',
        expect.stringMatching(/^1 document and 1 version: plugin::content-releases\.release: releases belong/),
        expect.stringMatching(/^api::article\.article\.place is of the type map-point/),
        expect.stringMatching(/^the webhook "off" is disabled/),
        '1 view of the admin panel',
        expect.stringMatching(/^1 text of e-mails/),
        expect.stringMatching(/^admin users, API tokens/),
      ]),
    );
  });

  it('keeps apart what nothing is lost of, and what is left to do', async () => {
    await look();
    expect(below('Not needed here:')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^1 link: to other locales of a document/),
        expect.stringMatching(/: locales, roles and permissions, which are settings here$/),
      ]),
    );
    expect(below('Does not come:').join('\n')).not.toMatch(/settings here|other locales/);
    expect(below('To be done:')).toContainEqual(expect.stringMatching(/npx wrangler secret put WEBHOOK_1_X_KEY$/));
    expect(below('To be done:').join('\n')).not.toMatch(/disabled|map-point/);
  });

  it('counts content types and content alone for --only content, and settings alone for --only config', async () => {
    await look({ only: ['content'] });
    expect(printed.text).not.toMatch(/settings, with what/);
    printed.text = '';
    await look({ only: ['config'] });
    expect(below('Comes:')).toEqual([expect.stringMatching(/^2 roles, 2 locales/)]);
  });

  it('rejects what the import would reject, and writes nothing either way', async () => {
    await look();
    project.write('edgewise.config.ts', "export default { search: ['api::gone.gone'] };\n");
    await expect(look()).rejects.toThrow(/api::gone\.gone/);
    project.remove('edgewise.config.ts');
    expect(['content-types', 'drizzle', 'state', 'edgewise.imported.json'].filter((path) => project.has(path))).toEqual(
      [],
    );
  });
});
