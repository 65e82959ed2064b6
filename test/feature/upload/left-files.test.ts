/**
 * @module The objects of files whose folder is deleted: some go in the request, the others by the cron trigger.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron } from '../../support/app.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, recordedRegistry, sendJson } from '../../support/recorded.ts';
import { clearMedia, objectKeys, TEXT, uploadOne } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const settings: SettingsInput = { upload: { folders: true, widths: [64] } };
const FILES = 250;
/** Of the first file, which the request leaves to the cron trigger. */
const PICTURE = 'pictures/f_0000000001.png/64-75.webp';

/** Counts what is asked of a bucket. */
function countedBucket(real: R2Bucket) {
  const counts = { list: 0, delete: 0 };
  const bucket = new Proxy(real, {
    get(target, name: keyof R2Bucket) {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (name === 'list' || name === 'delete') counts[name] += 1;
        return (value as (...all: unknown[]) => unknown).apply(target, given);
      };
    },
  });
  return { bucket, counts };
}

const { bucket, counts } = countedBucket(env.MEDIA);
const { send } = openMagazine(settings, { MEDIA: bucket });
const remove = (id: number) => send(`/api/upload/folders/${id}`, { method: 'DELETE', ...bearer('full') });
const cron = () => runCron(recordedRegistry, settings, { MEDIA: bucket });
const tasks = () => env.DB.prepare('select count(*) as "count" from edgewise_tasks').first('count');

/** Creates a folder with files, each with an object and a format; the first one has a picture on request, too. */
async function folderOf(count: number): Promise<number> {
  const response = await send('/api/upload/folders', sendJson('POST', 'full', { name: 'A' }));
  const { data } = (await response.json()) as { data: { id: number; path: string } };
  await env.DB.prepare(
    `insert into files (document_id, locale, published_at, created_at, updated_at, name, hash, ext, mime, url, folder_path, formats)
     with recursive counter (n) as (select 1 union all select n + 1 from counter where n < ?1)
     select 'file' || n, '', 1, 1, n, 'f', 'f_' || printf('%010x', n), '.png', 'image/png', '/', ?2,
       json_object('small', json_object('hash', 'small_f_' || printf('%010x', n), 'ext', '.png'))
     from counter`,
  )
    .bind(count, data.path)
    .run();
  await env.DB.prepare("update edgewise_counters set total = total + ? where type = 'plugin::upload.file'")
    .bind(count)
    .run();
  const hashes = Array.from({ length: count }, (_, index) => `f_${(index + 1).toString(16).padStart(10, '0')}`);
  await Promise.all(
    hashes.flatMap((hash) => [env.MEDIA.put(`${hash}.png`, 'x'), env.MEDIA.put(`small_${hash}.png`, 'x')]),
  );
  await env.MEDIA.put(PICTURE, 'x');
  Object.assign(counts, { list: 0, delete: 0 });
  return data.id;
}

beforeEach(async () => {
  await clearMedia();
  await env.DB.batch(
    ['files', 'upload_folders', 'edgewise_tasks'].map((table) => env.DB.prepare(`delete from ${table}`)),
  );
});

describe('the deletion of a folder', () => {
  it('leaves the objects of most files to the cron trigger', async () => {
    const id = await folderOf(FILES);
    expect((await remove(id)).status).toBe(200);
    expect(counts.list).toBe(100);
    expect(counts.delete).toBeLessThan(10);
    const left = await objectKeys();
    expect([left.length, left.includes(PICTURE)]).toEqual([2 * (FILES - 100) + 1, true]);
    expect(await tasks()).toBe(FILES - 100);
    const counted = countedDatabase(env.DB);
    await runCron(recordedRegistry, settings, { MEDIA: bucket, DB: counted.database });
    expect(counted.batches.flat().length).toBeLessThan(20);
    expect(await objectKeys()).toEqual([]);
    expect(await tasks()).toBe(0);
  });

  it('leaves them where another file is deleted, whose objects alone go at once', async () => {
    const id = await folderOf(101);
    expect((await remove(id)).status).toBe(200);
    const other = await uploadOne(send, TEXT);
    expect((await send(`/api/upload/files/${other.id}`, { method: 'DELETE', ...bearer('full') })).status).toBe(200);
    expect([await tasks(), (await objectKeys()).length]).toEqual([1, 3]);
  });

  it('leaves them to the next run, if the bucket fails in one', async () => {
    const id = await folderOf(101);
    expect((await remove(id)).status).toBe(200);
    const failing = new Proxy(env.MEDIA, {
      get: () => () => {
        throw new Error('the bucket fails');
      },
    });
    await expect(runCron(recordedRegistry, settings, { MEDIA: failing })).rejects.toThrow('the bucket fails');
    expect(await tasks()).toBe(1);
    await cron();
    expect(await objectKeys()).toEqual([]);
    expect(await tasks()).toBe(0);
  });

  it('keeps the objects of a file that is there again', async () => {
    const id = await folderOf(101);
    expect((await remove(id)).status).toBe(200);
    const again = await env.DB.prepare('select argument from edgewise_tasks').first<string>('argument');
    const { hash } = JSON.parse(String(again)) as { hash: string };
    await env.DB.prepare(
      "insert into files (document_id, locale, published_at, updated_at, name, hash, ext, mime, url) values ('again', '', 1, 1, 'f', ?, '.png', 'image/png', '/')",
    )
      .bind(hash)
      .run();
    await cron();
    expect(await objectKeys()).toEqual([`${hash}.png`, PICTURE, `small_${hash}.png`]);
    expect(await tasks()).toBe(0);
  });
});
