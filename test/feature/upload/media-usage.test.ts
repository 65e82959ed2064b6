/**
 * @module What `npx edgewise media usage` counts, on a real bucket and database.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { fileBucket } from '../../../cli/core/storage/file-bucket.ts';
import { countUsage } from '../../../cli/media/count-usage.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { recordedRegistry, sendJson } from '../../support/recorded.ts';
import { picture, TEXT, uploadOne } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine({ server: { url: 'https://api.example.com' }, upload: { folders: true, private: true } });
const { PRIVATE_MEDIA } = env as Env & { PRIVATE_MEDIA: R2Bucket };

it('counts bytes by folder, type and access, and lists the files that no document uses', async () => {
  const folder = async (name: string, parent: number | null) => {
    const response = await send('/api/upload/folders', sendJson('POST', 'full', { name, parent }));
    return ((await response.json()) as { data: { id: number } }).data.id;
  };
  const photos = await folder('Photos', null);
  const info = (of: object) => ({ fileInfo: JSON.stringify(of) });
  const linked = await uploadOne(send, TEXT, info({ folder: photos }));
  const inComponent = await uploadOne(send, TEXT, info({ folder: await folder('2026', photos) }));
  const [inText, atEnd] = [await uploadOne(send, TEXT), await uploadOne(send, TEXT)];
  const unused = await uploadOne(send, await picture(), info({ private: true }));
  const { create } = clientOf(send, 'full');
  await documentOf(create('/api/authors', { name: 'Ann', avatar: linked.id }));
  const seo = { metaTitle: 'x', shareImage: inComponent.id };
  await documentOf(
    create('/api/articles', { title: 'A title', body: `![](https://x.example${inText.url}) or _${atEnd.url}_.`, seo }),
  );
  // A picture on request counts for its file.
  await PRIVATE_MEDIA.put(`pictures/${unused.hash}${unused.ext}/640-75.webp`, new Uint8Array(1_000_000));
  const usage = await countUsage({ db: env.DB, bucket: fileBucket(env.MEDIA, PRIVATE_MEDIA) }, recordedRegistry);
  expect(usage.unused.map(({ id }) => id)).toEqual([unused.id]);
  const [{ bytes = 0 } = {}] = usage.unused;
  expect(bytes).toBeGreaterThan(Number(unused.size) * 1000 + 1_000_000);
  expect(usage).toMatchObject({
    folders: [
      { name: '/', files: 3, bytes: bytes + 12 },
      { name: 'Photos', files: 1, bytes: 6 },
      { name: 'Photos/2026', files: 1, bytes: 6 },
    ],
    types: [
      { name: 'image/png', files: 1, bytes },
      { name: 'text/plain', files: 4, bytes: 24 },
    ],
    access: [
      { name: 'private', files: 1, bytes },
      { name: 'public', files: 4, bytes: 24 },
    ],
  });
  await env.DB.prepare("insert into edgewise_picture_months values ('2026-11', 7)").run();
  const counted = await countUsage(
    { db: env.DB, bucket: env.MEDIA },
    recordedRegistry,
    new Date('2026-11-30T23:00:00Z'),
  );
  expect(counted.transformationsThisMonth).toBe(7);
});
