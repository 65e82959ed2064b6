import { describe, expect, it } from 'vitest';
import { decodePng } from '../../../src/features/files/placeholders/decode-png.ts';
import { diceOf } from '../../support/dice.ts';
import { png, pngOf } from '../../support/pictures.ts';

const [WIDTH, HEIGHT] = [7, 5];

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const distances = [left, above, corner].map((value) => Math.abs(estimate - value));
  return [left, above, corner][distances.indexOf(Math.min(...distances))] ?? 0;
}

/** Rows as a PNG has them, all with one filter: https://www.w3.org/TR/png-3/#9Filters */
function filtered(values: readonly number[], channels: number, filter: number): Uint8Array<ArrayBuffer> {
  const length = WIDTH * channels;
  const rows: number[] = [];
  for (const [at, value] of values.entries()) {
    if (at % length === 0) rows.push(filter);
    const isFirst = at % length < channels;
    const left = isFirst ? 0 : (values[at - channels] ?? 0);
    const above = values[at - length] ?? 0;
    const corner = isFirst ? 0 : (values[at - length - channels] ?? 0);
    rows.push(value - ([0, left, above, Math.floor((left + above) / 2), paeth(left, above, corner)][filter] ?? 0));
  }
  return Uint8Array.from(rows);
}

describe('a PNG', () => {
  it.each([0, 1, 2, 3, 4])(
    'with the filter %i has the pixels that were filtered, in every kind of colours',
    async (filter) => {
      const { below } = diceOf(filter);
      for (const [type, channels] of [
        [0, 1],
        [2, 3],
        [4, 2],
        [6, 4],
      ] as const) {
        const values = Array.from({ length: WIDTH * HEIGHT * channels }, () => below(256));
        const bytes = await pngOf([WIDTH, HEIGHT], [8, type], filtered(values, channels, filter));
        const { width, height, rgba } = await decodePng(bytes.buffer);
        expect([width, height]).toEqual([WIDTH, HEIGHT]);
        for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel += 1) {
          const [a = 0, b = 0, c = 0, d = 0] = values.slice(pixel * channels, (pixel + 1) * channels);
          const wanted = { 0: [a, a, a, 255], 2: [a, b, c, 255], 4: [a, a, a, b], 6: [a, b, c, d] }[type];
          expect([...rgba.subarray(pixel * 4, pixel * 4 + 4)]).toEqual(wanted);
        }
      }
    },
  );

  it('of another kind, or damaged, is rejected', async () => {
    const rows = new Uint8Array(8);
    const whole = await png(10, 10);
    const changed = (at: number, value: number) => whole.with(at, value);
    for (const bytes of [
      await pngOf([7, 1], [8, 3], rows),
      await pngOf([4, 1], [16, 0], new Uint8Array(9)),
      await pngOf([7, 1], [8, 0], rows.fill(9)),
      whole.slice(0, 50),
      whole.slice(1),
      whole.slice(0, 4),
    ])
      await expect(decodePng(bytes.buffer)).rejects.toThrow();
    // Its first byte, its depth, its colours, and that it is interlaced.
    for (const bytes of [changed(0, 0), changed(24, 1), changed(25, 3), changed(28, 1)])
      await expect(decodePng(bytes.buffer)).rejects.toThrow('the picture is another kind of PNG');
    expect((await decodePng(whole.buffer)).rgba).toHaveLength(400);
  });
});
