/**
 * @module The comparison of bucket and database that `npx edgewise media` makes, on a real bucket and database.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Storage } from '../../../cli/core/storage/bindings.ts';
import { findMismatches } from '../../../cli/media/find-mismatches.ts';
import { type CheckOptions, checkMedia, fixMismatches, purgeTrash } from '../../../cli/media/repair-mismatches.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bytesOf } from '../../support/pictures.ts';
import { bearer, recordedRegistry } from '../../support/recorded.ts';
import { itLong } from '../../support/tier.ts';
import {
  bytesAt,
  clearMedia,
  expectTidy,
  type FileAnswer,
  mismatches,
  objectKeys,
  picture,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
const storage = { db: env.DB, bucket: env.MEDIA };
let file: FileAnswer;

beforeEach(async () => {
  await clearMedia();
  file = await uploadOne(send, await picture());
});

const keptKeys = async () => (await objectKeys()).filter((key) => !key.startsWith('trash/'));
const fix = async () => fixMismatches(storage, await mismatches(), recordedRegistry, () => {});

describe('the comparison', () => {
  it('finds and removes objects without a file', async () => {
    await env.MEDIA.put('stray_0123456789.txt', 'x');
    expect((await mismatches()).orphans).toMatchObject([{ key: 'stray_0123456789.txt', size: 1 }]);
    await fix();
    await expectTidy(1);
    expect(await keptKeys()).toHaveLength(3);
  });

  itLong('finds more objects than one page of the bucket has', async () => {
    for (let start = 0; start < 1_050; start += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => env.MEDIA.put(`stray_${String(start + index).padStart(10, '0')}`, '')),
      );
    const { orphans } = await mismatches();
    expect(orphans).toHaveLength(1_050);
    for (let start = 0; start < 1_050; start += 1_000)
      await env.MEDIA.delete(orphans.slice(start, start + 1_000).map(({ key }) => key));
  });

  it('finds and removes pictures on request without a file', async () => {
    const kept = `pictures/${file.hash}.png/64-75.webp`;
    const left = 'pictures/photo_0123456789.png/64-75.webp';
    for (const key of [kept, left, 'pictures/strange/64-75.webp']) await env.MEDIA.put(key, 'x');
    const { orphans, strange } = await mismatches();
    expect([orphans, strange].map((all) => all.map(({ key }) => key))).toEqual([
      [left],
      ['pictures/strange/64-75.webp'],
    ]);
    await fix();
    expect(await keptKeys()).toEqual(expect.arrayContaining([kept]));
    expect(await keptKeys()).not.toContain(left);
  });

  it('removes the claims of pictures on request without a file, and keeps the others', async () => {
    const [kept, left] = [`pictures/${file.hash}.png/64-75.webp`, 'pictures/photo_0123456789.png/64-75.webp'];
    await env.MEDIA.put(left, 'x');
    for (const key of [kept, left])
      await env.DB.prepare("insert into edgewise_pictures (key, claim, claimed_at) values (?, 'c', 1)").bind(key).run();
    await fix();
    const { results } = await env.DB.prepare('select key from edgewise_pictures').all();
    expect(results).toEqual([{ key: kept }]);
    await env.DB.prepare('delete from edgewise_pictures').run();
  });

  it('finds a file without its bytes, and removes it with its links and formats', async () => {
    const client = clientOf(send, 'full');
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'Paper', cover: file.id }));
    const cover = async () => documentOf(client.get(`/api/articles/${documentId}?populate=cover`));
    expect(await cover()).toMatchObject({ cover: { id: file.id } });
    await env.MEDIA.delete(`${file.hash}.png`);
    expect((await mismatches()).incomplete).toMatchObject([{ file: { row: { name: 'photo.png' } }, main: true }]);
    await fix();
    await expectTidy(0);
    expect(await keptKeys()).toEqual([]);
    expect(await cover()).toMatchObject({ cover: null });
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });

  it('finds formats without their bytes, and takes them out of the file', async () => {
    await env.MEDIA.delete(`small_${file.hash}.png`);
    expect((await mismatches()).incomplete).toMatchObject([{ main: false, formats: ['small'] }]);
    const stamps = () => env.DB.prepare('select stamps from edgewise_stamps').first('stamps');
    const before = await stamps();
    await fix();
    await expectTidy(1);
    expect(await stamps()).not.toEqual(before);
    const left = await (await send(`/api/upload/files/${file.id}`, bearer('full'))).json();
    expect(Object.keys((left as FileAnswer).formats ?? {})).toEqual(['thumbnail']);
  });

  it('leaves a file and formats whose bytes are at another address, with their links', async () => {
    const client = clientOf(send, 'full');
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'Paper', cover: file.id }));
    const there = `https://bucket.s3.eu-west-1.amazonaws.com/${file.hash}.png`;
    const formats = { ...file.formats, small: { ...file.formats?.small, url: `https://cdn.example/${file.hash}.png` } };
    const move = env.DB.prepare('update files set url = ?, provider = ?, formats = ?');
    await move.bind(there, 'aws-s3', JSON.stringify(formats)).run();
    await env.MEDIA.delete([`${file.hash}.png`, `small_${file.hash}.png`, `thumbnail_${file.hash}.png`]);
    const found = await mismatches();
    expect(found).toMatchObject({ elsewhere: 1, incomplete: [{ main: false, formats: ['thumbnail'] }] });
    await fixMismatches(storage, found, recordedRegistry, () => {});
    expect(await documentOf(client.get(`/api/articles/${documentId}?populate=cover`))).toMatchObject({
      cover: { id: file.id, url: there, formats: { small: { url: formats.small.url } } },
    });
    expect((await mismatches()).incomplete).toEqual([]);
    // The file is here, and one of its formats is not.
    await move.bind(`https://media.example/${file.hash}.png`, 'r2', JSON.stringify(formats)).run();
    expect((await mismatches()).incomplete).toMatchObject([{ main: true, formats: ['thumbnail'] }]);
  });

  it('leaves a file whose bytes have come since', async () => {
    const bytes = await (await send(file.url)).arrayBuffer();
    await env.MEDIA.delete(`${file.hash}.png`);
    const found = await mismatches();
    await env.MEDIA.put(`${file.hash}.png`, bytes);
    await fixMismatches(storage, found, recordedRegistry, () => {});
    await expectTidy(1);
  });
});

/** The command, with whoever types `typed`; what it asked, and how it ended. */
async function command(options: Partial<CheckOptions> = {}, typed?: number, of: Storage = storage) {
  const asked: string[] = [];
  const confirm = async (count: number, what: string) => {
    asked.push(`${count} ${what}`);
    if (count !== typed) throw new Error('not confirmed');
  };
  const all = { fix: true, json: false, minAge: 0, most: 25, ...options };
  const outcome = await checkMedia(of, recordedRegistry, all, confirm).then(
    () => 'done',
    ({ message }: Error) => message,
  );
  return { asked, outcome };
}

const STRAY = 'stray_0123456789.txt';

describe('`--fix`', () => {
  beforeAll(() => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    return () => void vi.restoreAllMocks();
  });

  it('refuses beside an empty database, whatever share is allowed, and leaves every object', async () => {
    const before = await objectKeys();
    await env.DB.prepare('delete from files').run();
    const { outcome, asked } = await command({ most: 100 }, 3);
    expect(outcome).toMatch(/the database has no files/);
    expect(asked).toEqual([]);
    expect(await objectKeys()).toEqual(before);
  });

  it('refuses beside a database without tables', async () => {
    const before = await objectKeys();
    await env.DB.prepare('alter table files rename to kept_files').run();
    expect((await command({ most: 100 }, 3)).outcome).toBe('The database has no tables yet: npx edgewise migrate');
    await env.DB.prepare('alter table kept_files rename to files').run();
    expect(await objectKeys()).toEqual(before);
  });

  it('refuses beside the database of another bucket, and leaves every object and every file', async () => {
    const before = await objectKeys();
    await env.DB.prepare("update files set hash = 'other_0123456789', formats = null").run();
    expect((await command({ most: 100 }, 4)).outcome).toMatch(/not the bucket of this database/);
    expect(await objectKeys()).toEqual(before);
    expect((await mismatches()).files).toBe(1);
  });

  it('refuses beside an empty bucket, and leaves every file', async () => {
    await env.MEDIA.delete([...(await objectKeys())]);
    expect((await command({ most: 100 }, 1)).outcome).toMatch(/not the bucket of this database/);
    expect((await mismatches()).files).toBe(1);
  });

  it('removes nothing without the bucket of private files', async () => {
    for (let count = 0; count < 4; count += 1) await uploadOne(send, { bytes: bytesOf('a text'), name: 'note.txt' });
    await env.DB.prepare("update files set hash = hash || '-private' where id = (select max(id) from files)").run();
    const [stray] = (await mismatches()).orphans;
    await env.MEDIA.delete(stray?.key ?? '');
    expect((await command({ most: 100 }, 1)).outcome).toMatch(/the binding PRIVATE_MEDIA is missing/);
    expect((await mismatches()).files).toBe(5);
  });

  it('leaves private files unchecked without their bucket, and says so', async () => {
    await uploadOne(send, { bytes: bytesOf('a text'), name: 'note.txt' });
    await env.DB.prepare("update files set hash = hash || '-private' where id = (select max(id) from files)").run();
    const [stray] = (await mismatches()).orphans;
    await env.MEDIA.delete(stray?.key ?? '');
    const unbound = { ...storage, lacksPrivate: true };
    expect(await findMismatches(unbound, () => {})).toMatchObject({ incomplete: [], unchecked: 1 });
    const found = await command({ most: 100 }, 1, unbound);
    expect(found).toEqual({ asked: [], outcome: expect.stringMatching(/^Private files were not checked/) });
    await env.MEDIA.put(STRAY, 'x');
    expect(await command({ most: 100 }, 1, unbound)).toMatchObject({ outcome: 'done' });
    expect(await env.MEDIA.head(STRAY)).toBeNull();
    expect((await mismatches()).files).toBe(2);
  });

  it('refuses more than a share of all objects, until the share is named', async () => {
    await env.MEDIA.put(STRAY, 'x');
    await env.MEDIA.put('stray_0123456780.txt', 'x');
    const { outcome, asked } = await command({}, 2);
    expect(outcome).toMatch(/2 of 5 objects have no file, more than 25 %.*--most 40/s);
    expect(asked).toEqual([]);
    expect(await command({ most: 40 }, 2)).toMatchObject({ outcome: 'done' });
    expect(await keptKeys()).toHaveLength(3);
  });

  it('refuses more than a share of all files', async () => {
    const other = await uploadOne(send, await picture());
    await env.MEDIA.delete(`${other.hash}.png`);
    expect((await command({}, 1)).outcome).toMatch(/1 of 2 files have no bytes/);
    expect((await mismatches()).files).toBe(2);
  });

  it('removes nothing until the number is confirmed', async () => {
    await env.MEDIA.put(STRAY, 'x');
    const { asked, outcome } = await command({}, 7);
    expect(outcome).toBe('not confirmed');
    expect(asked).toEqual([expect.stringMatching(/^1 is listed/)]);
    expect(await env.MEDIA.head(STRAY)).not.toBeNull();
  });

  it('leaves objects alone whose keys Edgewise does not make', async () => {
    await env.MEDIA.put('backups/site.tar', 'x');
    await env.MEDIA.put('robots.txt', 'x');
    expect(await command()).toEqual({ asked: [], outcome: 'done' });
    expect(await keptKeys()).toEqual(expect.arrayContaining(['backups/site.tar', 'robots.txt']));
  });

  it('passes over an object that got a file since it was listed', async () => {
    const orphan = { key: `${file.hash}.png`, size: 1, uploaded: new Date(), etag: '' };
    await fixMismatches(storage, { orphans: [orphan], incomplete: [] }, recordedRegistry, () => {});
    await expectTidy(1);
  });

  it('moves objects to the trash with all that is said of them, where nobody is served them', async () => {
    await env.MEDIA.put(STRAY, 'x', { httpMetadata: { contentType: 'text/plain' }, customMetadata: { a: 'b' } });
    await command({}, 1);
    const [key = ''] = (await objectKeys()).filter((each) => each.startsWith('trash/'));
    expect(key).toMatch(/^trash\/\d{8}T\d{6}Z\/stray_0123456789\.txt$/);
    const object = await env.MEDIA.get(key);
    expect(await object?.text()).toBe('x');
    expect(object).toMatchObject({ httpMetadata: { contentType: 'text/plain' }, customMetadata: { a: 'b' } });
    for (const path of [key, encodeURIComponent(key)]) expect((await send(`/uploads/${path}`)).status).toBe(404);
  });

  it('takes the bytes of a file back from the trash, once the database knows it again', async () => {
    const before = await bytesAt(send, file.url);
    const other = await uploadOne(send, await picture());
    const rows = await env.DB.prepare('select * from files where id = ?').bind(file.id).first();
    await env.DB.prepare('delete from files where id = ?').bind(file.id).run();
    expect(await command({ most: 50 }, 3)).toMatchObject({ outcome: 'done' });
    expect((await send(file.url)).status).toBe(404);
    const columns = Object.keys(rows ?? {});
    const values = columns.map(() => '?').join(', ');
    await env.DB.prepare(`insert into files ("${columns.join('", "')}") values (${values})`)
      .bind(...Object.values(rows ?? {}))
      .run();
    expect(await command({}, 1)).toMatchObject({ outcome: 'done' });
    expect(await bytesAt(send, file.url)).toEqual(before);
    await expectTidy(2);
    expect((await mismatches()).trash).toEqual([]);
    expect((await send(other.url)).status).toBe(200);
  });
});

describe('`--purge`', () => {
  it('empties the trash when the number is confirmed, and touches nothing else', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await env.MEDIA.put(STRAY, 'x');
    await fix();
    const refuse = () => Promise.reject(new Error('not confirmed'));
    await expect(purgeTrash(storage, refuse)).rejects.toThrow('not confirmed');
    expect((await mismatches()).trash).toHaveLength(1);
    await purgeTrash(storage, async (count) => expect(count).toBe(1));
    expect((await mismatches()).trash).toEqual([]);
    await expectTidy(1);
    vi.restoreAllMocks();
  });
});
