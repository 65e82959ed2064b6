/**
 * @module What is read is what is written and what is left out, with its reason; import, export, backup and restore count alike.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ContentCounts, tallyLines, tallySum } from '../../../../cli/core/content-counts.ts';
import { openCopies } from '../../../../cli/core/sql/copies.ts';
import { storedCounts } from '../../../../cli/core/sql/stored-counts.ts';
import { exportedTables } from '../../../../cli/export/content.ts';
import { exportArchive } from '../../../../cli/export/export.ts';
import { typeChanges } from '../../../../cli/import/place-types.ts';
import { writeFiles } from '../../../../cli/project/write-files.ts';
import { archiveOf } from '../../../support/archive.ts';
import { scratchProject } from '../scratch-project.ts';
import { failingAfter, fileOf, type Imported, importBytes, openTestStorage, type TestStorage } from './imported.ts';
import { article, link, MAGAZINE, media } from './magazine.ts';

const sum = (...all: readonly ContentCounts[]): ContentCounts => ({
  documents: all.reduce((total, { documents }) => total + documents, 0),
  versions: all.reduce((total, { versions }) => total + versions, 0),
  links: all.reduce((total, { links }) => total + links, 0),
  files: all.reduce((total, { files }) => total + files, 0),
});

const tags = (from: number, to: number): object =>
  link(
    { type: 'api::article.article', field: 'tags', ref: from },
    { type: 'api::tag.tag', field: 'articles', ref: to },
  );

/** Each way in which a row or a link of an archive can come to nothing. */
const AWKWARD = {
  ...MAGAZINE,
  entities: [
    ...MAGAZINE.entities,
    article(30, 'one', { title: 'Second row' }),
    article(11, 'one', { title: 'Second id' }),
    { type: 'plugin::map.place', id: 1, data: { documentId: 'place', publishedAt: null } },
  ],
  links: [
    ...MAGAZINE.links,
    ...[tags(11, 21), tags(11, 99), tags(98, 21), tags(30, 21)],
    link({ type: 'api::article.article', field: 'gone', ref: 11 }, { type: 'api::tag.tag', ref: 21 }),
    link({ type: 'plugin::map.place', field: 'tag', ref: 1 }, { type: 'api::tag.tag', ref: 21 }),
    link({ type: 'shared.card', field: 'tag', ref: 77 }, { type: 'api::tag.tag', ref: 21 }),
    link({ type: 'shared.card', field: 'tag', ref: 5 }, { type: 'api::tag.tag', ref: 97 }),
    media(3, 2, 'shared.card', 'image', 9),
    link({ type: 'plugin::upload.file', field: 'folder', ref: 3 }, { type: 'plugin::upload.folder', ref: 1 }),
  ],
};

const polymorphic = readFileSync(join(import.meta.dirname, 'polymorphic.tar.gz'));

describe.each<[string, () => Promise<Buffer> | Buffer]>([
  ['a small one', () => archiveOf(MAGAZINE)],
  ['one with faults', () => archiveOf(AWKWARD)],
  ['one of Strapi', () => polymorphic],
])('the counts of an archive: %s', (_, bytesOf) => {
  const project = scratchProject();
  let storage: TestStorage;
  let bytes: Buffer;
  let imported: Imported;

  beforeAll(async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    storage = await openTestStorage();
    bytes = await bytesOf();
    await storage.prepare((await importBytes(bytes)).registry);
    imported = await importBytes(bytes, storage);
    writeFiles(project.root, typeChanges(project.root, imported.files));
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    project.remove('.');
    await storage.close();
  });

  const held = async (): Promise<ContentCounts> => {
    const copies = await openCopies(storage.db, exportedTables(imported.registry), () => undefined);
    for (const table of copies.tables) await copies.read(table);
    const { objects } = await storage.bucket.list();
    return { ...storedCounts(copies, imported.registry), files: objects.length };
  };

  it('add up: an import reads what it writes and what it leaves out', async () => {
    const { read, taken, leftOut, added } = imported;
    expect(sum(taken, tallySum(leftOut))).toEqual(sum(read, tallySum(added)));
    expect(taken).toEqual(await held());
  });

  it('are the same without writing, and after an interruption', async () => {
    expect((await importBytes(bytes)).taken).toEqual(imported.taken);
    await storage.clear();
    await expect(importBytes(bytes, failingAfter(storage, 8))).rejects.toThrow('the process was ended');
    const resumed = await importBytes(bytes, storage, { resume: true });
    expect(resumed.taken).toEqual(imported.taken);
    expect(tallyLines(resumed.leftOut)).toEqual(tallyLines(imported.leftOut));
  });

  it('add up in an export, which reads what the import wrote', async () => {
    const { registry, settings, taken } = imported;
    const path = fileOf(Buffer.alloc(0));
    const { counts, written, leftOut } = await exportArchive({
      ...{ root: project.root, storage, registry, settings, path, withoutFiles: false },
    });
    expect(counts).toEqual(taken);
    expect(sum(written, tallySum(leftOut))).toEqual(counts);
  });
});
