/**
 * @module `upload.placeholders`: ThumbHash and dominant colour of pictures.
 */
import { thumbHashToRGBA } from 'thumbhash';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { pngOf } from '../../support/pictures.ts';
import { recordedImages } from '../../support/recorded-images.ts';
import { registryOf } from '../../support/schema-files.ts';
import { clearMedia, listedFiles, uploadOne } from '../../support/uploads.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([], [], {}, { placeholders: true });
const { send } = openWorld(registry, { upload: { placeholders: true } });

beforeAll(async () => {
  await clearMedia();
});

/** Two thirds in one colour, the rest in another. */
async function flag(width = 300, height = 150) {
  const length = width * 3 + 1;
  const colour = (at: number) => (at > length * height * 0.67 ? [250, 240, 10] : [20, 60, 200]);
  const rows = Uint8Array.from({ length: length * height }, (_, at) =>
    at % length === 0 ? 0 : (colour(at)[((at % length) - 1) % 3] ?? 0),
  );
  return { bytes: await pngOf([width, height], [8, 2], rows), name: 'flag.png' };
}

describe('a picture', () => {
  it('has its ThumbHash and its dominant colour in responses', async () => {
    const { thumbHash, dominantColor } = await uploadOne(send, await flag());
    expect(dominantColor).toBe('#143cc8');
    const hash = Uint8Array.from(atob(String(thumbHash)), (character) => character.charCodeAt(0));
    const { w, h, rgba } = thumbHashToRGBA(hash);
    expect([w > h, rgba[3]]).toEqual([true, 255]);
    const at = (x: number, y: number) => [...rgba.subarray((y * w + x) * 4, (y * w + x) * 4 + 3)];
    expect(Number(at(5, 1)[2])).toBeGreaterThan(150);
    expect(Number(at(5, h - 2)[2])).toBeLessThan(80);
    const [listed] = await listedFiles(send, '?filters[dominantColor]=%23143cc8&fields=thumbHash');
    expect(listed?.thumbHash).toBe(thumbHash);
  });

  it('is asked of Images as a still PNG of 100 pixels at most', async () => {
    const { calls, binding } = recordedImages(async () => (await flag(90, 90)).bytes);
    await uploadOne(
      serveRegistry(registry, { upload: { placeholders: true } }, { IMAGES: binding }),
      await flag(90, 90),
    );
    expect(calls.at(-1)).toEqual({
      transform: { width: 100, height: 100, fit: 'scale-down' },
      output: { format: 'image/png', anim: false },
    });
  });
});
