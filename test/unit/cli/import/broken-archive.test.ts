import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { UserError } from '../../../../cli/core/terminal.ts';
import { archiveFiles, archiveOf, enciphered, tarOf } from '../../../support/archive.ts';
import { samplesOf } from '../../../support/tier.ts';
import { importBytes } from './imported.ts';
import { MAGAZINE } from './magazine.ts';

/** How many archives are broken; more with EDGEWISE_BROKEN_ARCHIVES. */
const RUNS = Number(process.env.EDGEWISE_BROKEN_ARCHIVES ?? samplesOf(150, 0.2));

const whole = await archiveOf(MAGAZINE);

const refusal = (bytes: Buffer, key?: string): Promise<string> =>
  importBytes(bytes, undefined, key === undefined ? {} : { key }).then(
    () => 'taken',
    (error: unknown) => {
      if (!(error instanceof UserError)) throw error;
      return error.message;
    },
  );

beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(() => vi.restoreAllMocks());

describe('an archive', () => {
  it.each([
    ['that is empty', Buffer.alloc(0), /is empty/],
    ['that is none', Buffer.from('just a text, and no archive at all'.repeat(40)), /is no archive: neither/],
    ['that is gzip of something else', gzipSync(Buffer.from('text'.repeat(500))), /damaged|cut|no archive/],
    ['that is cut', whole.subarray(0, whole.length / 2), /is cut/],
    ['whose last byte is missing', whole.subarray(0, -1), /is cut/],
    [
      'whose bytes were changed',
      Buffer.concat([whole.subarray(0, 60), Buffer.alloc(40), whole.subarray(100)]),
      /damaged|cut/,
    ],
    ['that is enciphered, without a key', enciphered(whole, 'key'), /is no archive: neither/],
  ])('%s is refused', async (_, bytes, message) => {
    expect(await refusal(bytes)).toMatch(message);
  });

  it('at an address is refused with what to do in the place of it', async () => {
    const command = promisify(execFile)(process.execPath, ['cli/edgewise.mjs', 'import', 'https://cms.example.com']);
    await expect(command).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'https://cms.example.com is an address, and an import reads an archive: run npx strapi export --no-encrypt --file backup in the Strapi project, then npx edgewise import backup.tar.gz\n',
    });
  });

  it.each([2_000, 200_000])(
    'loses JSON that is nested %i levels deep, which nobody could read, with a warning',
    async (levels) => {
      const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      const line = (data: string) => `{"type":"api::article.article","id":11,"data":{"documentId":"one",${data}}}`;
      const bytes = (data: string) =>
        archiveOf({ schemas: MAGAZINE.schemas, files: { 'entities/entities_00001.jsonl': line(data) } });
      const { warnings } = await importBytes(await bytes(`"extra":${deep}`));
      expect(warnings).toContain('api::article.article.extra: a value is no json; left empty');
      expect(await refusal(await bytes(`"title":${deep}`))).toMatch(
        /^taken$|^\S+, row 11: a value is nested too deep$/,
      );
    },
  );

  it('is refused with a wrong key', async () => {
    expect(await refusal(enciphered(whole, 'key'), 'other')).toMatch(/The key does not open/);
  });

  it.each([
    ['no metadata', { ...MAGAZINE, metadata: null }, /has no metadata\.json/],
    ['no schemas', { entities: MAGAZINE.entities }, /has no schemas/],
    ['nothing in it', { metadata: null }, /no archive of Strapi: it has neither/],
    [
      'rows without documentIds, of Strapi 4',
      {
        schemas: MAGAZINE.schemas,
        entities: [{ type: 'api::tag.tag', id: 1, data: { name: 'x' } }],
        metadata: { strapi: { version: '4.25.0' } },
      },
      /made by Strapi 4\.25\.0: its rows have no documentId/,
    ],
    ['a name that leads out of it', { ...MAGAZINE, files: { 'assets/uploads/../../evil.sh': 'x' } }, /leads out of it/],
    ['an absolute name', { ...MAGAZINE, files: { '/etc/passwd': 'x' } }, /leads out of it/],
    [
      'a line that is no JSON',
      { ...MAGAZINE, files: { 'entities/entities_00002.jsonl': '{"type":' } },
      /entities_00002\.jsonl, line 1: no JSON/,
    ],
    ['an entity without a type', { ...MAGAZINE, entities: [{ id: 1, data: {} }] }, /line 1: no entity: type/],
    ['a link without an end', { ...MAGAZINE, links: [{ kind: 'x', left: {} }] }, /line 1: no link/],
    [
      'metadata that is no JSON',
      { ...MAGAZINE, metadata: null, files: { 'metadata.json': '{' } },
      /metadata\.json, line 1: no JSON/,
    ],
  ])('with %s is refused', async (_, parts, message) => {
    expect(await refusal(await archiveOf(parts))).toMatch(message);
  });

  it('is never told with a value of it in the message', async () => {
    const secret = { type: 'webhook', value: { key: 7, headers: 'top-secret' } };
    const message = await refusal(await archiveOf({ ...MAGAZINE, configuration: [secret] }));
    expect(message).toMatch(/no configuration/);
    expect(message).not.toContain('top-secret');
  });

  it('is taken enciphered, as a plain tar, with names that begin with ./ and with backslashes', async () => {
    const files = archiveFiles(MAGAZINE);
    const dotted = await tarOf(files.map(([name, bytes]) => [`./${name}`, bytes]));
    const windows = await tarOf(files.map(([name, bytes]) => [name.replaceAll('/', '\\'), bytes]));
    const counts = await Promise.all(
      [dotted, windows, gunzipSync(whole), enciphered(whole, 'k')].map(
        async (bytes) => (await importBytes(bytes, undefined, { key: 'k' })).taken,
      ),
    );
    const { taken } = await importBytes(whole);
    expect(counts).toEqual([taken, taken, taken, taken]);
  });

  it('is taken in any order of its files', async () => {
    const turned = gzipSync(await tarOf([...archiveFiles(MAGAZINE)].reverse()));
    expect((await importBytes(turned)).taken).toEqual((await importBytes(whole)).taken);
  });

  it('is taken or refused, wherever it is cut or changed', async () => {
    const tar = gunzipSync(whole);
    const broken = fc.tuple(
      fc.nat(tar.length - 1),
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      fc.boolean(),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(broken, async ([at, bytes, cut, packed]) => {
        const source = packed ? whole : tar;
        const place = at % source.length;
        const result = cut
          ? source.subarray(0, place)
          : Buffer.concat([source.subarray(0, place), bytes, source.subarray(place + bytes.length)]);
        expect(typeof (await refusal(result))).toBe('string');
      }),
      { numRuns: RUNS },
    );
  });

  it('is taken or refused, whatever stands in the place of a value', async () => {
    const stages = ['schemas', 'entities', 'links', 'configuration'] as const;
    const change = fc.record({
      stage: fc.constantFrom(...stages),
      line: fc.nat(),
      path: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
      value: fc.jsonValue({ maxDepth: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const parts = structuredClone(MAGAZINE) as unknown as Record<string, object[]>;
        for (const { stage, line, path, value } of changes) replaceValue(parts[stage] ?? [], [line, ...path], value);
        expect(typeof (await refusal(await archiveOf(parts)))).toBe('string');
      }),
      { numRuns: RUNS },
    );
  });
});

/** Puts a value somewhere into a tree; each number of the path chooses one of the keys. */
function replaceValue(tree: object, [first = 0, ...rest]: readonly number[], value: unknown): void {
  const keys = Object.keys(tree);
  const key = keys[first % Math.max(keys.length, 1)];
  if (key === undefined) return;
  const inner = (tree as Record<string, unknown>)[key];
  if (rest.length > 0 && typeof inner === 'object' && inner !== null) replaceValue(inner, rest, value);
  else (tree as Record<string, unknown>)[key] = value;
}
