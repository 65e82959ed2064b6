import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tallyLines } from '../../../../cli/core/content-counts.ts';
import { exportArchive } from '../../../../cli/export/export.ts';
import type { Entity, Link } from '../../../../cli/import/archive-lines.ts';
import { typeChanges } from '../../../../cli/import/place-types.ts';
import { writeFiles } from '../../../../cli/project/write-files.ts';
import { archiveOf, filesOf, linesOf } from '../../../support/archive.ts';
import { checkInvariants } from '../../../support/invariants.ts';
import { scratchProject } from '../scratch-project.ts';
import { contentOf, fileOf, type Imported, importBytes, useTestStorage } from './imported.ts';

/** `strapi export --no-encrypt` of a Strapi 5.54: every kind of polymorphic relation, in content types and components. */
const archive = readFileSync(join(import.meta.dirname, 'polymorphic.tar.gz'));

const project = scratchProject();
const storage = await useTestStorage();
let imported: Imported;
let exported: Buffer;

beforeAll(async () => {
  const dry = await importBytes(archive);
  await storage.prepare(dry.registry);
  imported = await importBytes(archive, storage);
  writeFiles(project.root, typeChanges(project.root, imported.files));
  const path = fileOf(Buffer.alloc(0));
  const { registry, settings } = imported;
  await exportArchive({ root: project.root, storage, registry, settings, path, withoutFiles: false });
  exported = readFileSync(path);
});
afterAll(() => project.remove('.'));

/** The polymorphic links of an archive between rows, without media: each row by its document, locale and version. */
async function linksOf(bytes: Buffer): Promise<readonly string[]> {
  const files = await filesOf(gunzipSync(bytes));
  const names = new Map<string, string>();
  const name = (value: unknown, owner: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) name(inner, `${owner}.${key}`);
    const { id, __component } = value as { readonly id?: number; readonly __component?: string };
    const uid = __component ?? (owner.endsWith('.teaser') ? 'kit.teaser' : 'kit.rail');
    if (id !== undefined) names.set(`${uid} ${id}`, owner);
  };
  for (const { type, id, data } of linesOf(files, 'entities') as readonly Entity[]) {
    const row = `${type.replace(/^.*\./, '')} ${data.title ?? data.text ?? data.name ?? data.documentId} ${data.locale ?? ''} ${data.publishedAt ? 'published' : 'draft'}`;
    names.set(`${type} ${id}`, row);
    name(data, row);
  }
  const named = ({ type, ref }: Link['left']): string => names.get(`${type} ${ref}`) ?? `no ${type} ${ref}`;
  return (linesOf(files, 'links') as readonly Link[])
    .filter(({ kind, left }) => kind === 'relation.morph' && left.field !== 'related')
    .sort((one, two) => (one.right.pos ?? 0) - (two.right.pos ?? 0))
    .map(({ relation, left, right }) => `${relation} ${named(left)} ${left.field} → ${named(right)}`)
    .sort((one, two) => (one.replace(/→.*/, '') < two.replace(/→.*/, '') ? -1 : 1));
}

/** Rows that Strapi links and that the export links in their place: a column of Strapi has one row of a document. */
const ONE_ROW = [
  ['comment of the published row  published subject → product Lamp  published', 'draft'],
  ['page p2  published.teaser target → product Lamp  draft', 'published'],
  ['review of the draft row  published subject → product Lamp  draft', 'published'],
].map(([line = '', version = '']) => [`morphToOne ${line}`, `morphToOne ${line.replace(/\w+$/, version)}`]);

/** Of an archive all of whose relations are imported. */
const NO_RELATIONS = [/to other locales/, /locales, roles and permissions/, /of folders, whose paths say the same/].map(
  (reason) => expect.stringMatching(reason),
);
const linksLeftOut = ({ leftOut }: Imported) => tallyLines(leftOut).filter((line) => line.includes('link'));

describe('polymorphic relations of an archive', () => {
  it('are taken and exported, in their order and versions, of every target', async () => {
    expect(linksLeftOut(imported)).toEqual(NO_RELATIONS);
    expect(await checkInvariants(storage.db, imported.registry)).toEqual([]);
    const [before, after] = [await linksOf(archive), await linksOf(exported)];
    expect(before).toHaveLength(87);
    expect(after.filter((line) => !before.includes(line))).toEqual(ONE_ROW.map(([, line]) => line));
    expect(before.filter((line) => !after.includes(line))).toEqual(ONE_ROW.map(([line]) => line));
    const others = (lines: readonly string[]) => lines.filter((line) => !ONE_ROW.some((pair) => pair.includes(line)));
    expect(others(after)).toEqual(others(before));
  });

  it('join documents: a single one, which has one row in Strapi, each version that both ends have', async () => {
    const subjects = await storage.rows(`
      select "text", "target_type" as "type", "status" from "reviews_subject_mph" join "reviews" on "document_id" = "source_document_id"
      where "published_at" is null and "text" = 'of the draft row' union all
      select "text", "target_type", "status" from "comments_subject_mph" join "comments" on "document_id" = "source_document_id"
      where "text" in ('of the published row', 'of a file') order by 1, 3`);
    expect(subjects.map(({ text, type, status }) => `${text}: ${type} ${status}`)).toEqual([
      'of a file: plugin::upload.file published',
      'of the draft row: api::product.product draft',
      'of the draft row: api::product.product published',
      'of the published row: api::product.product draft',
      'of the published row: api::product.product published',
    ]);
  });

  it('stand in components with the type of each target', async () => {
    const [page] = await storage.rows(`select "rails" from "pages" where "title" = 'p' and "published_at" is null`);
    const rails = JSON.parse(String(page?.rails)) as readonly { entries: readonly { type: string }[] }[];
    expect(rails.map(({ entries }) => entries.map(({ type }) => type))).toEqual([
      ['api::product.product', 'api::shop.shop'],
      ['api::article.article', 'api::product.product'],
    ]);
  });

  it('name the attribute of their target where Strapi can read it, of targets without drafts', async () => {
    const links = linesOf(await filesOf(gunzipSync(exported)), 'links') as readonly Link[];
    const named = links.filter(({ left }) => left.type.startsWith('api::') && left.field === 'things');
    expect(new Set(named.map(({ right }) => `${right.type} ${right.field}`))).toEqual(
      new Set([
        'api::product.product null',
        'api::person.person things',
        'api::shop.shop things',
        'api::article.article null',
      ]),
    );
  });

  it('come back as they were exported', async () => {
    const before = await contentOf(storage);
    await storage.clear();
    await importBytes(exported, storage);
    const without = (content: Readonly<Record<string, readonly string[]>>) =>
      JSON.parse(JSON.stringify(content).replaceAll(/\\"id\\+":\d+/g, '')) as unknown;
    expect(without(await contentOf(storage))).toEqual(without(before));
  });
});

describe('polymorphic links of other archives', () => {
  const about = { type: 'relation', relation: 'morphToMany' };
  const named = (name: string) => ({ singularName: name, pluralName: `${name}s` });
  const schema = (uid: string, name: string, draftAndPublish: boolean, attributes: object) => ({
    ...{ uid, modelType: 'contentType', kind: 'collectionType', collectionName: `${name}s`, info: named(name) },
    ...{ options: { draftAndPublish }, attributes },
  });
  const row = (type: string, id: number, documentId: string, data: object = {}) => ({
    ...{ type, id, data: { documentId, publishedAt: '2026-01-02T03:04:05.678Z', locale: null, ...data } },
  });
  const link = (type: string, field: string, ref: number, target: string, id: number) => ({
    ...{ kind: 'relation.morph', relation: 'morphToMany', left: { type, field, ref } },
    right: { type: target, ref: id, pos: 1, field: null },
  });
  const parts = {
    schemas: [
      schema('api::blog.post', 'post', true, {}),
      schema('api::note.note', 'note', false, { about, card: { type: 'component', component: 'kit.card' } }),
      { uid: 'kit.card', modelType: 'component', collectionName: 'cards', info: {}, attributes: { about } },
    ],
    entities: [
      row('api::blog.post', 1, 'post', { publishedAt: null }),
      row('api::blog.post', 2, 'post'),
      row('api::note.note', 1, 'note', { card: { id: 1 } }),
      row('plugin::users-permissions.role', 7, 'role', { type: 'public', name: 'Public' }),
    ],
    links: ['api::note.note', 'kit.card'].flatMap((owner) => [
      link(owner, 'about', 1, 'plugin::users-permissions.role', 7),
      link(owner, 'about', 1, 'api::blog.post', 1),
      link(owner, 'about', 1, 'api::blog.post', 9),
    ]),
  };

  it('lead to types under their name here, to both versions of one with drafts; others are left out by name', async () => {
    const bytes = await archiveOf(parts);
    const { registry } = await importBytes(bytes);
    await storage.prepare(registry);
    const taken = await importBytes(bytes, storage);
    const rows = await storage.rows(
      'select "target_document_id" as "id", "target_type", "status" from "notes_about_mph"',
    );
    const post = { id: 'post', target_type: 'api::post.post' };
    expect(rows).toEqual(
      expect.arrayContaining([
        { ...post, status: 'draft' },
        { ...post, status: 'published' },
      ]),
    );
    expect(rows).toHaveLength(2);
    const [note] = await storage.rows('select "card" from "notes"');
    expect(JSON.parse(String(note?.card)).about).toEqual([{ documentId: 'post', locale: '', type: 'api::post.post' }]);
    expect(await checkInvariants(storage.db, registry)).toEqual([]);
    expect(linksLeftOut(taken).toSorted()).toEqual([
      '1 link: api::note.note.about: between versions that no link joins here',
      '1 link: api::note.note.about: to or from a row that the archive lacks',
      '1 link: kit.card.about: to a row that has no place here',
      '1 link: kit.card.about: to or from a row that the archive lacks',
    ]);
  });

  it('of a component with morphOne and morphMany are taken from the other side, and exported there', async () => {
    const back = (target: string, relation: string, morphBy: string) => ({
      ...{ type: 'relation', relation, target: `api::${target}.${target}`, morphBy },
    });
    const box = { comments: back('comment', 'morphMany', 'about'), lists: back('list', 'morphOne', 'items') };
    const right = { type: 'kit.box', ref: 1 };
    const comments = [1, 2].map((ref) => ({
      ...{
        kind: 'relation.morph',
        relation: 'morphToOne',
        left: { type: 'api::comment.comment', ref, field: 'about' },
      },
      right,
    }));
    // A Strapi 5.54 names the attribute of the component only in the links of a morphToMany.
    const links = [
      ...comments,
      { ...link('api::list.list', 'items', 1, 'kit.box', 1), right: { ...right, pos: 1, field: 'lists' } },
    ];
    const bytes = await archiveOf({
      schemas: [
        schema('api::comment.comment', 'comment', false, { about: { type: 'relation', relation: 'morphToOne' } }),
        schema('api::list.list', 'list', false, { items: about }),
        schema('api::shop.shop', 'shop', false, { box: { type: 'component', component: 'kit.box' } }),
        { uid: 'kit.box', modelType: 'component', collectionName: 'boxes', info: {}, attributes: box },
      ],
      entities: [
        ...[1, 2].map((id) => row('api::comment.comment', id, `comment${id}`)),
        row('api::list.list', 1, 'list'),
        row('api::shop.shop', 1, 'shop', { box: { id: 1 } }),
      ],
      links,
    });
    await storage.prepare((await importBytes(bytes)).registry);
    const taken = await importBytes(bytes, storage);
    expect(linksLeftOut(taken)).toEqual([]);
    const [shop] = await storage.rows('select "box" from "shops"');
    expect(JSON.parse(String(shop?.box))).toMatchObject({
      comments: [{ documentId: 'comment1' }, { documentId: 'comment2' }],
      lists: [{ documentId: 'list' }],
    });
    const path = fileOf(Buffer.alloc(0));
    await exportArchive({ root: project.root, storage, ...taken, path, withoutFiles: false });
    const lines = linesOf(await filesOf(gunzipSync(readFileSync(path))), 'links') as readonly Link[];
    expect(lines.filter(({ kind }) => kind === 'relation.morph')).toEqual(links);
  });
});
