/**
 * @module Lines of a file that comes in chunks.
 */
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../../cli/core/archive/json-lines.ts';

async function linesIn(text: string, size: number): Promise<readonly string[]> {
  const bytes = Buffer.from(text);
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const lines: string[] = [];
  for await (const some of linesOf(chunks(), 'rows.jsonl')) lines.push(...some);
  return lines;
}

describe('linesOf', () => {
  it.each([1, 2, 3, 7, 1000])('finds the same lines in chunks of %d bytes', async (size) => {
    expect(await linesIn('{"a":"é"}\n\n{"b":"😀\u2028"}\nlast', size)).toEqual([
      '{"a":"é"}',
      '',
      '{"b":"😀\u2028"}',
      'last',
    ]);
    expect(await linesIn('one\n', size)).toEqual(['one']);
    expect(await linesIn('', size)).toEqual([]);
  });

  it('rejects a line that no archive has, whatever the chunks', async () => {
    const long = 'x'.repeat(64 * 1024 * 1024 + 1);
    await expect(linesIn(long, 1024 * 1024)).rejects.toThrow('rows.jsonl has a line of more than 67108864 characters');
  });
});
