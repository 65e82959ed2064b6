import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { backUp } from '../../../cli/backup/backup.ts';
import { openArchive } from '../../../cli/core/archive/archive-file.ts';
import { testWebhookSql } from '../../../cli/core/sql/webhooks.ts';
import { executeSql } from '../../../cli/core/storage/execute-sql.ts';
import { withStorage } from '../../../cli/core/storage/storage.ts';
import { importArchive } from '../../../cli/import/import.ts';
import { checkProjectMedia } from '../../../cli/media/check-command.ts';
import { migrateProject, printStatus } from '../../../cli/migrate/migrate.ts';
import { listGrants, revokeGrant } from '../../../cli/oauth/oauth.ts';
import { generate } from '../../../cli/project/generate.ts';
import { generateProject } from '../../../cli/project/generate-command.ts';
import { createToken, listTokens } from '../../../cli/token/token.ts';
import { listWebhooks, testWebhooks } from '../../../cli/webhook/webhook.ts';
import { archiveOf } from '../../support/archive.ts';
import { contentType } from '../../support/schema-files.ts';
import { wranglerToml } from './cloudflare.ts';
import { hearPrinted } from './heard.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

let project: ScratchProject;
const printed = hearPrinted(process.stdout);
beforeAll(async () => {
  project = scratchProject();
  vi.spyOn(process, 'cwd').mockReturnValue(project.root);
  project.write('wrangler.toml', `${wranglerToml('test')}[[r2_buckets]]\nbinding = "MEDIA"\nbucket_name = "test"\n`);
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(project.root, 'node_modules'));
  project.schemas(contentType('tag', { name: { type: 'string' } }));
  await generate(project.root);
});
afterAll(() => {
  vi.restoreAllMocks();
  project.remove('.');
});

const json = () => JSON.parse(printed.text);
const NAME = '0001_initial.sql';
const database = 'local database';

describe('edgewise migrate --status', () => {
  it('lists what a database lacks, without making one, and fails since it is to be applied', async () => {
    await expect(printStatus(project.root, {}, true)).rejects.toThrow('To apply what is pending: npx edgewise migrate');
    expect(json()).toEqual({ database, applied: [], pending: [NAME], unknown: [] });
    expect(project.has('.wrangler/state')).toBe(false);
  });

  it('lists what a database has and lacks', async () => {
    await migrateProject(project.root, {});
    project.schemas(contentType('page', { name: { type: 'string' } }));
    await generate(project.root, { name: 'Add pages' });
    printed.text = '';
    await expect(printStatus(project.root, { persistTo: '.wrangler/state' }, false)).rejects.toThrow(
      'To apply what is pending: npx edgewise migrate --persist-to .wrangler/state',
    );
    expect(printed.text).toBe(
      `local database: 1 migration applied, 1 pending\n  applied ${NAME}\n  pending 0002_add_pages.sql\n`,
    );
    await migrateProject(project.root, {});
    printed.text = '';
    await printStatus(project.root, {}, true);
    expect(json()).toEqual({ database, applied: [NAME, '0002_add_pages.sql'], pending: [], unknown: [] });
  });

  it('fails after the status where the database was not made by the migrations', async () => {
    const text = project.read(`drizzle/${NAME}`);
    project.write(`drizzle/${NAME}`, `${text}-- changed\n`);
    await expect(printStatus(project.root, {}, true)).rejects.toThrow(/0001_initial\.sql: was changed after/);
    expect(json()).toMatchObject({ pending: [] });
    project.write(`drizzle/${NAME}`, text);
  });
});

describe('edgewise generate', () => {
  const PAGE = 'content-types/page/schema.json';
  const STUDIO = expect.stringContaining('[assets]');
  const NEXT = 'drizzle/0003_alter_pages.sql';

  beforeEach(() => project.schemas(contentType('page', { name: { type: 'string' }, intro: { type: 'text' } })));

  it('--dry-run prints the SQL of the next migration, and writes nothing', async () => {
    const before = project.migrations();
    await generateProject(project.root, { dryRun: true });
    expect(printed.text).toContain(`-- ${NEXT}\n`);
    expect(printed.text).toMatch(/ALTER TABLE [`"]pages[`"] ADD( COLUMN)? [`"]intro[`"] text/i);
    expect(project.migrations()).toEqual(before);
    expect(project.read('types/content-types.d.ts')).not.toContain('intro');
  });

  it('--dry-run --json prints the files that would change, and --json those that have', async () => {
    await generateProject(project.root, { dryRun: true, json: true });
    const planned = json();
    expect(planned).toMatchObject({ migrations: [{ path: NEXT }], incomplete: [], warnings: [STUDIO] });
    printed.text = '';
    await generateProject(project.root, { json: true });
    expect(json()).toEqual(planned);
    expect(planned.migrations[0].sql).toBe(project.read(NEXT));
    expect(planned.files).toEqual(expect.arrayContaining([NEXT, 'openapi.json', 'types/content-types.d.ts']));
    printed.text = '';
    await generateProject(project.root, { dryRun: true, json: true });
    expect(json()).toEqual({ files: [], migrations: [], incomplete: [], warnings: planned.warnings });
    await migrateProject(project.root, {});
  });

  it('--dry-run rejects the loss of stored content as the command does', async () => {
    const text = project.read(PAGE);
    await executeSql(['insert into pages ("document_id", "name", "intro") values (\'a\', \'a\', \'a\')'], {});
    project.schemas(contentType('page', { name: { type: 'string' } }));
    await expect(generateProject(project.root, { dryRun: true })).rejects.toThrow(/1 change loses stored content/);
    await generateProject(project.root, { dryRun: true, allowDrop: true });
    expect(printed.text).toMatch(/DROP COLUMN [`"]intro[`"]/i);
    project.write(PAGE, text);
  });
});

describe('edgewise backup --json', () => {
  it('prints the path, what the backup has, and objects that are missing', async () => {
    const path = join(project.root, 'backup.tar.gz');
    await backUp(project.root, {}, path, true);
    expect(json()).toEqual({
      ...{ file: path, content: { documents: 1, versions: 1, links: 0, files: 0 }, missing: [] },
    });
  });
});

describe('edgewise import --dry-run --json', () => {
  it('prints what would be imported, what would not, and why', async () => {
    const archive = {
      schemas: [
        {
          uid: 'api::tag.tag',
          modelType: 'contentType',
          kind: 'collectionType',
          collectionName: 'tags',
          info: { singularName: 'tag', pluralName: 'tags', displayName: 'tag' },
          attributes: { name: { type: 'string' } },
        },
      ],
      entities: [{ type: 'api::tag.tag', id: 1, data: { documentId: 'one', name: 'One' } }],
    };
    project.write('archive.tar.gz', '');
    writeFileSync(join(project.root, 'archive.tar.gz'), await archiveOf(archive));
    const file = openArchive(join(project.root, 'archive.tar.gz'), undefined);
    const flags = { dryRun: true, json: true, backup: true, replace: true, force: true } as const;
    await importArchive(project.root, file, flags);
    const counts = { documents: 1, versions: 1, links: 0, files: 0 };
    expect(json()).toEqual({
      ...{ archive: 'archive.tar.gz', importedAt: null, read: counts, imported: counts, added: [], leftOut: [] },
      comes: {
        ...{ contentTypes: 1, components: 0, types: [{ uid: 'api::tag.tag', documents: 1, versions: 1 }] },
        settings: { roles: 0, locales: 0, webhooks: 0, providers: 0 },
      },
      warnings: expect.any(Array),
      notImported: expect.arrayContaining([expect.stringContaining('API tokens')]),
    });
  });
});

describe('edgewise token --json', () => {
  it('prints a new token with what it may do, and lists it without the secret', async () => {
    await createToken(project.root, {
      ...{ name: 'site', type: 'custom', permission: ['api::tag.tag.find'], days: 1, json: true },
    });
    const { token, ...created } = json();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(created).toMatchObject({ name: 'site', type: 'custom', permissions: ['api::tag.tag.find'] });
    expect(Date.parse(created.expiresAt) - Date.parse(created.createdAt)).toBe(86_400_000);
    printed.text = '';
    await listTokens({ json: true });
    expect(json()).toEqual([{ ...created, lastUsedAt: null }]);
    printed.text = '';
    await listTokens({});
    expect(printed.text).toMatch(/^site {2}custom {2}expires \S+ {2}last used never {2}api::tag\.tag\.find\n$/);
  });
});

describe('edgewise oauth', () => {
  const columns = '"id", "user", "client_id", "host", "name", "level", "types", "key_hash", "created_at", "updated_at"';
  const insert = (id: string, user: string, types: string, expiresAt: number) =>
    `insert into edgewise_oauth_grants (${columns}, "last_used_at", "expires_at")
    values ('${id}', '${user}', 'https://a.example/c.json', 'a.example', 'A', 'drafts', ${types}, 'secret', 0, 0, 60000, ${expiresAt})`;

  beforeAll(async () => {
    const users = ['ann', 'bo'].map(
      (name) => `insert into up_users (document_id, locale, published_at, created_at, updated_at, username, email)
        values ('${name}', '', 0, 0, 0, '${name}', '${name}@example.com')`,
    );
    const later = Date.now() + 60_000;
    const grants = [insert('g2', 'bo', 'null', later), insert('g1', 'ann', `'["api::tag.tag"]'`, later)];
    await executeSql([...users, ...grants, insert('old', 'ann', 'null', 1)], {});
  });

  it('lists who lets which client do what, without secrets and what has expired', async () => {
    await listGrants({ json: true });
    expect(json()).toMatchObject([
      {
        ...{ id: 'g1', email: 'ann@example.com', clientId: 'https://a.example/c.json', host: 'a.example', name: 'A' },
        ...{ level: 'drafts', types: ['api::tag.tag'], createdAt: '1970-01-01T00:00:00.000Z' },
        lastUsedAt: '1970-01-01T00:01:00.000Z',
      },
      { id: 'g2', email: 'bo@example.com', types: null },
    ]);
    expect(printed.text).not.toContain('secret');
    printed.text = '';
    await listGrants({});
    const [line, all] = printed.text.split('\n');
    expect(all).toMatch(/^g2 .* all types$/);
    expect(line).toBe('g1  ann@example.com  a.example  drafts  last used 1970-01-01T00:01  api::tag.tag');
  });

  it('revokes one by its id, and nothing by another text', async () => {
    const left = async () => (await executeSql(['select id from edgewise_oauth_grants order by id'], {}))[0];
    for (const id of ['g', 'g1 ', 'G1', '%', '', 'ann@example.com', "' or 1=1 --"])
      await expect(revokeGrant(id, {})).rejects.toThrow(`there is no grant "${id}" in the local database`);
    expect(await left()).toHaveLength(3);
    await revokeGrant('g1', {});
    expect(await left()).toEqual([{ id: 'g2' }, { id: 'old' }]);
    await revokeGrant('g2', {});
    printed.text = '';
    await listGrants({ json: true });
    expect(json()).toEqual([]);
  });
});

describe('edgewise webhook list --json', () => {
  const [SITE, INDEX] = ['https://site.example.com/', 'https://index.example.com/'];

  it('tests no public webhook of a local server', async () => {
    const webhooks = [{ url: SITE, events: ['entry.*'] }];
    project.write('edgewise.config.ts', `export default ${JSON.stringify({ webhooks })};`);
    await expect(testWebhooks(project.root, SITE, {})).rejects.toThrow('use --remote');
  });

  it('prints what is waiting, what was given up, and which webhooks are paused', async () => {
    const webhooks = [SITE, INDEX].map((url) => ({ url, events: ['entry.*'] }));
    project.write('edgewise.config.ts', `export default ${JSON.stringify({ webhooks })};`);
    const paused = `insert into edgewise_endpoints (url, failing_since, next_at, paused_at) values ('${SITE}', 0, 0, 9)`;
    const lost = `update edgewise_outbox set due_at = null, error = 'no' where endpoint = '${SITE}'`;
    await executeSql([testWebhookSql(SITE, 5), testWebhookSql(INDEX, 5), lost, paused], {});
    await listWebhooks(project.root, { json: true });
    const { webhooks: listed, givenUp } = json();
    expect(listed).toMatchObject([
      { url: SITE, state: 'paused', pausedAt: '1970-01-01T00:00:00.009Z', waiting: 0, givenUp: 1, error: 'no' },
      { url: INDEX, state: 'working', pausedAt: null, waiting: 1, givenUp: 0, error: null },
    ]);
    expect(givenUp).toMatchObject([{ url: SITE, event: 'trigger-test', attempts: 0, error: 'no' }]);
    await expect(testWebhooks(project.root, 'https://index.example.co/', {})).rejects.toThrow(
      'webhooks has no url "https://index.example.co/" (did you mean https://index.example.com/?)',
    );
  });
});

describe('edgewise media check --json', () => {
  it('prints what has no match, and fails', async () => {
    const key = 'stray_0123456789.txt';
    await withStorage(project.root, {}, async ({ bucket }) => void (await bucket.put(key, 'abc')));
    await expect(checkProjectMedia(project.root, { json: true, most: 25 })).rejects.toThrow(/--fix$/);
    expect(json()).toEqual({
      ...{ files: 0, objects: 1, inTrash: 0, filesWithoutBytes: [], filesElsewhere: 0, privateFilesNotChecked: 0 },
      ...{ youngObjectsWithoutFile: 0, objectsOfOthers: [] },
      objectsWithoutFile: [{ key, bytes: 3, uploadedAt: expect.stringMatching(/^\d{4}-/) }],
    });
  });
});
