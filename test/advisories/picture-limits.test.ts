import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bytesOf, png } from '../support/pictures.ts';
import { createToken, serve } from '../support/recorded.ts';
import {
  clearMedia,
  formOf,
  mismatches,
  objectKeys,
  postForm,
  refusal,
  uploaded,
  uploadOne,
} from '../support/uploads.ts';
import { openMagazine } from '../support/world.ts';

const { send } = openMagazine();

beforeAll(async () => {
  await createToken('uploads', 'custom', ['plugin::upload.content-api.upload']);
});
beforeEach(clearMedia);

/** A WebP that passes as it is. */
const ANIMATED = `RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0${'\x63\0\0'.repeat(2)}ANIM`;

const textOf = async (response: Response) => new TextDecoder().decode(await response.arrayBuffer());
const textAt = async (path: string) => textOf(await send(path));

/** Directus CVE-2025-30225 */
describe('the formats of pictures', () => {
  const HUGE = '\xff\xff';
  const bombs: readonly (readonly [name: string, bytes: string])[] = [
    ['bomb.gif', `GIF89a${HUGE}${HUGE}\0\0\0`],
    ['bomb.webp', `RIFF\x64\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0${HUGE}\xff${HUGE}\xff${'\0'.repeat(30)}`],
    [
      'bomb.jpg',
      `\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08${HUGE}${HUGE}${'\0'.repeat(99)}`,
    ],
  ];

  it.each(bombs)('are not made of a small file with more pixels than the limit: %s', async (name, bytes) => {
    expect(await refusal(postForm(send, formOf([{ bytes, name }])))).toContain('Image is too large to process: ');
    expect(await objectKeys()).toEqual([]);
  });

  it('are made of a good picture among many damaged ones', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const whole = await png(600, 400);
    const broken = [whole.slice(0, 60), whole.slice(0, 200), await png(1, 1, [5_000, 4_000])];
    const damaged = Array.from({ length: 12 }, (_, index) => ({
      bytes: broken[index % broken.length] ?? whole,
      name: `${index}.png`,
    }));
    const [together, good, ...alone] = await Promise.all([
      uploaded(postForm(send, formOf(damaged))),
      uploadOne(send, { bytes: whole, name: 'good.png' }),
      ...damaged.map((file) => uploadOne(send, file)),
    ]);
    for (const file of [...together, ...alone]) expect(file.formats).toBeNull();
    expect(Object.keys(good.formats ?? {})).toEqual(['thumbnail', 'small']);
    expect(await mismatches()).toMatchObject({ orphans: [], incomplete: [], files: 25 });
  });

  it('are not made by the query of a request', async () => {
    const input = vi.fn();
    const { url } = await uploadOne(send, { bytes: await png(600, 400), name: 'a.png' });
    const watched = serve({}, { IMAGES: { input, info: input } } as never);
    const whole = await textAt(url);
    for (const query of [
      'width=1&height=1',
      'width=99999999',
      'transforms=[["resize",{"width":1}]]',
      'transforms=[[[[',
      'format=avif&quality=0',
      'key=thumbnail',
    ]) {
      const response = await watched(`${url}?${query}`);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(await textOf(response)).toBe(whole);
    }
    expect(input).not.toHaveBeenCalled();
  });
});

it('a request stores no picture that the limit of a month does not count', async () => {
  const widths = [64, 128, 256, 640];
  const send = serve({ upload: { widths, transformationsPerMonth: 3 } });
  const { url } = await uploadOne(send, { bytes: await png(60, 60), name: 'dot.png' });
  const animated = await uploadOne(send, { bytes: bytesOf(ANIMATED), name: 'a.webp', type: 'image/webp' });
  const sizes = widths.flatMap((w) => ['', '&h=1', `&h=${w}&fit=cover`, '&h=9999'].map((rest) => `w=${w}${rest}`));
  const queries = sizes.flatMap((size) => ['webp', 'avif', 'jpeg'].map((format) => `${size}&f=${format}`));
  for (const query of queries)
    for (const address of [url, animated.url]) expect((await send(`${address}?${query}`)).status).toBe(200);
  const stored = (await objectKeys()).filter((key) => key.startsWith('pictures/'));
  expect(stored.length).toBe(3);
});
