import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exportArchive } from '../../../../cli/export/export.ts';
import { limitedGrants, printLimitedGrants } from '../../../../cli/export/limited-grants.ts';
import { typeChanges } from '../../../../cli/import/place-types.ts';
import { writeFiles } from '../../../../cli/project/write-files.ts';
import { parseSettings } from '../../../../src/schema/settings/config.ts';
import { archiveOf, filesOf, linesOf } from '../../../support/archive.ts';
import { scratchProject } from '../scratch-project.ts';
import { contentOf, fileOf, importBytes, useTestStorage } from './imported.ts';
import { MAGAZINE } from './magazine.ts';

interface Line {
  readonly type: string;
  readonly id: number;
  readonly data: Readonly<Record<string, unknown>>;
}

const project = scratchProject();
const storage = await useTestStorage();
let bytes: Buffer;
let files: ReadonlyMap<string, Buffer>;

beforeAll(async () => {
  const whole = await archiveOf(MAGAZINE);
  const dry = await importBytes(whole);
  await storage.prepare(dry.registry);
  const { registry, settings } = await importBytes(whole, storage);
  writeFiles(project.root, typeChanges(project.root, dry.files));
  const path = fileOf(Buffer.alloc(0));
  await exportArchive({ root: project.root, storage, registry, settings, path, withoutFiles: false });
  bytes = readFileSync(path);
  files = await filesOf(gunzipSync(bytes));
});
afterAll(() => project.remove('.'));

describe('an export', () => {
  it('is an archive in the order in which Strapi writes one, bytes behind what is said of them', () => {
    expect([...files.keys()]).toEqual([
      'schemas/schemas_00001.jsonl',
      'entities/entities_00001.jsonl',
      'assets/metadata/a_1.PNG.json',
      'assets/uploads/a_1.PNG',
      'assets/metadata/t_a_1.png.json',
      'assets/uploads/t_a_1.png',
      'links/links_00001.jsonl',
      'configuration/configuration_00001.jsonl',
      'metadata.json',
    ]);
    expect(JSON.parse(String(files.get('metadata.json')))).toMatchObject({ strapi: { version: '5.54.0' } });
  });

  it('has an id for each row and component, lists where there may be several, and nulls where there is nothing', () => {
    const entities = linesOf(files, 'entities') as readonly {
      type: string;
      id: number;
      data: Record<string, unknown>;
    }[];
    const articles = entities.filter(({ type }) => type === 'api::article.article');
    expect(new Set(articles.map(({ id }) => id)).size).toBe(4);
    expect(articles[0]?.data).toMatchObject({
      views: '9007199254740993',
      sections: [],
      publishedAt: null,
      locale: 'en',
      open: true,
    });
    expect(articles[2]?.data).toMatchObject({ seo: null, price: null, locale: 'de' });
    const cards = JSON.stringify(articles).match(/"cards":\[\{"id":(\d+)/g) ?? [];
    expect(new Set(cards).size).toBe(2);
  });

  it('has links between rows that are there, each once, and files beside their bytes', () => {
    const rows = new Set((linesOf(files, 'entities') as readonly Line[]).map(({ type, id }) => `${type} ${id}`));
    const links = linesOf(files, 'links') as readonly {
      left: { type: string; ref: number };
      right: { type: string; ref: number };
    }[];
    const ends = links.flatMap(({ left, right }) => [left, right]).filter(({ type }) => type.includes('::'));
    expect(ends.filter(({ type, ref }) => !rows.has(`${type} ${ref}`))).toEqual([]);
    expect(new Set(links.map((link) => JSON.stringify(link))).size).toBe(links.length);
    const sidecar = JSON.parse(String(files.get('assets/metadata/a_1.PNG.json')));
    expect(rows.has(`plugin::upload.file ${sidecar.id}`)).toBe(true);
    expect(sidecar).toMatchObject({ name: 'a.png', hash: 'a_1', ext: '.PNG', mime: 'image/png', size: 0.01 });
  });

  it('never has codes of messages, or the right to drafts', () => {
    const text = String(files.get('entities/entities_00001.jsonl'));
    expect(text).not.toMatch(/secret|readDrafts|usernameKey|isPrivate/);
    expect(text).toMatch(/"name":"Inner","pathId":3,"path":"\/2\/3"/);
  });

  it('comes back as it was', async () => {
    const before = await contentOf(storage);
    await storage.clear();
    await importBytes(bytes, storage);
    const without = (content: Readonly<Record<string, readonly string[]>>) =>
      JSON.stringify(content).replaceAll(/\\"id\\+":\d+/g, 'id');
    expect(without(await contentOf(storage))).toBe(without(before));
  });

  it('leaves out the bytes when it is asked to, and is enciphered with a key', async () => {
    const path = fileOf(Buffer.alloc(0));
    const { registry } = await importBytes(bytes);
    const rest = { root: project.root, storage, registry, settings: parseSettings({}), path };
    await exportArchive({ ...rest, passphrase: 'key', withoutFiles: true });
    const again = await importBytes(readFileSync(path), undefined, { key: 'key' });
    expect(again.taken).toMatchObject({ versions: 11, files: 0 });
  });

  it('keeps the provider of a file at another address, and misses none of its bytes', async () => {
    const path = fileOf(Buffer.alloc(0));
    const { registry } = await importBytes(bytes);
    const rest = { root: project.root, storage, registry, settings: parseSettings({}), path };
    const { results } = await storage.db.prepare('select url, provider, formats from files').all();
    await storage.db
      .prepare("update files set url = 'https://s3.example/a', provider = 'aws-s3', formats = null")
      .run();
    expect(await exportArchive({ ...rest, withoutFiles: false })).toMatchObject({ missing: 0, written: { files: 0 } });
    const exported = linesOf(await filesOf(gunzipSync(readFileSync(path))), 'entities') as readonly Line[];
    expect(exported.find(({ type }) => type === 'plugin::upload.file')?.data).toMatchObject({ provider: 'aws-s3' });
    const { url, provider, formats } = results[0] ?? {};
    await storage.db.prepare('update files set url = ?, provider = ?, formats = ?').bind(url, provider, formats).run();
  });

  it('counts what is private, and its import warns that folders no longer are', async () => {
    await storage.db.prepare("update files set hash = 'a_0123456789-private'").run();
    await storage.db
      .prepare('update upload_folders set is_private = 1 where id = (select max(id) from upload_folders)')
      .run();
    const path = fileOf(Buffer.alloc(0));
    const { registry } = await importBytes(bytes);
    const rest = { root: project.root, storage, registry, settings: parseSettings({}), path };
    expect((await exportArchive({ ...rest, withoutFiles: true })).privates).toEqual({ files: 1, folders: 1 });
    const { warnings } = await importBytes(readFileSync(path));
    expect(warnings).toContainEqual(expect.stringMatching(/^a private file: it stays private, but no folder/));
    expect((await importBytes(bytes)).warnings).not.toContainEqual(expect.stringMatching(/private/));
  });

  const GRANTS = [
    { action: 'api::article.article.find', where: { owner: '$user.email' } },
    { action: ['api::article.article.create', 'api::article.article.publish'], status: 'draft' as const },
    { action: 'api::article.article.update', fields: ['title'], validate: { open: true }, set: { open: true } },
    // Of several grants of an action, one without conditions is enough.
    { action: 'api::tag.tag.find', where: { name: 'red' } },
    'api::tag.tag.find',
  ];
  const LIMITED = ['find', 'create', 'update'].map((name) => `api::article.article.${name}`);

  it('leaves permissions with conditions out of their roles, and says which and why', async () => {
    const path = fileOf(Buffer.alloc(0));
    const { registry } = await importBytes(bytes);
    const settings = parseSettings({ roles: { editor: GRANTS } });
    const actionsOf = async (plainGrants: boolean) => {
      await exportArchive({ root: project.root, storage, registry, settings, path, withoutFiles: true, plainGrants });
      const lines = linesOf(await filesOf(gunzipSync(readFileSync(path))), 'entities') as readonly Line[];
      const isContent = (action: string) => action.startsWith('api::');
      return lines.map(({ data }) => String(data.action)).filter(isContent);
    };
    expect(await actionsOf(false)).toEqual(['api::tag.tag.find']);
    expect(await actionsOf(true)).toEqual([...LIMITED, 'api::tag.tag.find']);
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    printLimitedGrants(limitedGrants(settings), false);
    const printed = print.mock.calls.join('');
    print.mockRestore();
    expect(printed).toContain('editor: api::article.article.find, limited to some documents (where)\n');
    expect(printed).toContain('editor: api::article.article.create, limited to drafts (status)\n');
    expect(printed).toContain('limited to some bodies (validate), some attributes (fields) and some values (set)\n');
    expect(printed).not.toContain('api::tag.tag');
  });
});
