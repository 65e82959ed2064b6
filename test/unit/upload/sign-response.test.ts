/**
 * @module Which addresses of a response are signed: those of private files that its plan shows, and no others.
 */
import { describe, expect, it } from 'vitest';
import type { Document } from '../../../src/content/document/document.ts';
import { bothBuckets } from '../../../src/features/files/private/buckets.ts';
import { signerOf } from '../../../src/features/files/private/sign-response.ts';
import { signAddress, validFor, windowAt } from '../../../src/features/files/private/signed-address.ts';
import { bucketsOf } from '../../../src/features/files/private/source.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { memoryBucket } from '../../support/memory-bucket.ts';

const signing = {
  settings: parseSettings({ server: { url: 'https://api.example.com' }, upload: { private: true } }),
  secret: 'a secret',
} as unknown as Parameters<typeof signerOf>[1];
const FILE = 'plugin::upload.file';
const SECRET = '/uploads/a_0123456789-private.png';

const fileOf = (url: unknown = SECRET, formats: unknown = null) => ({ url, formats });
const selection = (...populate: readonly object[]) => ({ attributes: [], populate });
const link = (name: string, uid: string, selected = selection()) => ({
  ...{ kind: 'link', name, link: { target: { uid } }, selection: selected },
});
const planOf = (uid: string, selected = selection()) => ({ type: { uid }, selection: selected }) as never;

/** Returns a document with "signed" in the place of each signed address. */
function signed(plan: never, document: object): unknown {
  // Each object of a response is one of its own.
  const copy = JSON.parse(JSON.stringify(document)) as Document;
  signerOf(plan, signing)?.(copy);
  return JSON.parse(JSON.stringify(copy).replaceAll(/"([^"?]*)\?expires=\d+&signature=[\w-]{43}"/g, '"signed"'));
}

describe('the address of a file', () => {
  it.each([
    [SECRET, 'signed'],
    ['/uploads/a_0123456789.png', '/uploads/a_0123456789.png'],
    [`${SECRET}?expires=1`, `${SECRET}?expires=1`],
    [`https://cdn.example.com${SECRET}`, `https://cdn.example.com${SECRET}`],
    [null, null],
    [7, 7],
  ])('%j is %j', (url, expected) => {
    expect(signed(planOf(FILE), fileOf(url))).toEqual(fileOf(expected));
  });

  it('is signed in its formats, too, and once', () => {
    const formats = { small: { url: SECRET }, odd: null, text: SECRET };
    const expected = fileOf('signed', { small: { url: 'signed' }, odd: null, text: SECRET });
    expect(signed(planOf(FILE), fileOf(SECRET, formats))).toEqual(expected);
    for (const other of [null, 'text', undefined])
      expect(signed(planOf(FILE), fileOf(SECRET, other))).toMatchObject({ url: 'signed' });
    const file = fileOf() as Document;
    const sign = signerOf(planOf(FILE), signing);
    sign?.(file);
    const { url } = file;
    sign?.(file);
    expect(file.url).toBe(url);
  });
});

describe('a document', () => {
  const cover = link('cover', FILE);
  const author = link('author', 'api::author.author', selection(link('avatar', FILE)));
  const tags = link('tags', 'api::tag.tag');
  const reference = { kind: 'reference', name: 'image', target: { uid: FILE }, selection: selection() };
  const deepReference = {
    ...reference,
    name: 'person',
    target: { uid: 'api::author.author' },
    selection: selection(cover),
  };
  const component = { kind: 'component', name: 'seo', selection: selection(reference) };
  const zone = (...parts: readonly (readonly [string, object])[]) => ({
    kind: 'dynamiczone',
    name: 'zone',
    parts: new Map(parts),
  });
  const polymorphic = (...parts: readonly object[]) => ({ kind: 'polymorphic', name: 'any', parts });
  const file = fileOf();

  it.each([
    ['one file', cover, { cover: file, other: file }, 1],
    ['several files', { ...cover, name: 'gallery' }, { gallery: [file, null, fileOf('/uploads/x.png'), file] }, 2],
    ['no file', cover, { cover: null }, 0],
    ['files of another document', author, { author: { avatar: file, url: SECRET } }, 1],
    ['a file of a component', component, { seo: { image: file, url: SECRET } }, 1],
    ['a document that a component names', deepReference, { person: { cover: file, url: SECRET } }, 1],
    [
      'files of a zone, by their component',
      zone(['a.a', selection(reference)], ['a.b', selection()]),
      {
        zone: [
          { __component: 'a.a', image: file },
          { __component: 'a.b', image: file },
          { __component: 'a.c', image: file },
        ],
      },
      1,
    ],
    [
      'files among several types, by their type',
      polymorphic(link('any', FILE), { ...deepReference, name: 'any' }, link('any', 'api::tag.tag')),
      {
        any: [
          { __type: FILE, url: SECRET },
          { __type: 'api::author.author', url: SECRET, cover: file },
          { __type: 'api::tag.tag', url: SECRET, cover: file },
        ],
      },
      2,
    ],
  ])('has a signed address for %s', (_, node, document, count) => {
    const text = JSON.stringify(signed(planOf('api::article.article', selection(tags, node)), document));
    expect(text.split('"signed"').length - 1).toBe(count);
  });

  it('that shows no file has no signer', () => {
    for (const node of [
      tags,
      { kind: 'related', name: 'related', uses: [] },
      { kind: 'component', name: 'seo', selection: selection(tags) },
      zone(['a.a', selection()], ['a.b', selection(tags)]),
      polymorphic(tags),
    ])
      expect(signerOf(planOf('api::article.article', selection(node)), signing)).toBeUndefined();
    expect(signerOf(planOf('api::article.article'), signing)).toBeUndefined();
  });
});

describe('a signed address', () => {
  const NOW = 1_800_000_000_000;
  it.each([
    ['/uploads/a', '/uploads/a?expires=1800000060&signature='],
    ['/uploads/a?w=64', '/uploads/a?w=64&expires=1800000060&signature='],
  ])('of %s is valid to its last second', (address, start) => {
    const text = signAddress(address, 1_800_000_060, signing);
    expect(text.startsWith(start)).toBe(true);
    const left = [0, 59_000, 59_001, 59_999, 60_000, 99_000].map((after) => validFor(text, signing, NOW + after));
    expect(left).toEqual([60, 1, 1, 1, 0, 0]);
  });

  it.each([
    ['without a signature', (text: string) => text.replace(/&signature.*/, '')],
    ['with more behind it', (text: string) => `${text}=`],
    ['with another path', (text: string) => text.replace('/a', '/b')],
    ['with another time', (text: string) => text.replace('60&', '61&')],
    ['with half of the signature', (text: string) => text.slice(0, -20)],
  ])('is worth nothing %s', (_, change) => {
    expect(validFor(change(signAddress('/uploads/a', 1_800_000_060, signing)), signing, NOW)).toBe(0);
  });

  it('is valid at its own deployment, and a local server has one without a host', () => {
    const at = (url?: string) => ({
      ...signing,
      settings: parseSettings(url === undefined ? {} : { server: { url } }),
    });
    const deployments = [
      at(),
      at('https://api.example.com'),
      at('https://api.example.com/path'),
      at('https://b.example.com'),
    ];
    const valid = deployments.map((own) =>
      deployments.map((other) => validFor(signAddress('/uploads/a', 1_800_000_001, own), other, NOW)),
    );
    expect(valid).toEqual([
      [1, 0, 0, 0],
      [0, 1, 1, 0],
      [0, 1, 1, 0],
      [0, 0, 0, 1],
    ]);
  });

  it('is the same for half of its lifetime, which is a second at least', () => {
    const settings = (signedUrlExpiresIn: string) => parseSettings({ upload: { signedUrlExpiresIn } } as never);
    expect([0, 29_999, 30_000].map((after) => windowAt(settings('1m'), after))).toEqual([0, 0, 1]);
    expect([0, 999, 1_000].map((after) => windowAt(settings('1s'), after))).toEqual([0, 0, 1]);
  });
});

describe('two buckets', () => {
  const KEYS = ['a_0123456789-private.png', 'a_0123456789.png'] as const;

  it('are one: each key lies in its own', async () => {
    const [open, secret] = [memoryBucket(), memoryBucket()];
    const both = bothBuckets(open.bucket, secret.bucket);
    for (const key of KEYS) await both.put(key, key);
    expect([secret.keys(), open.keys()]).toEqual(KEYS.map((key) => [key]));
    for (const key of KEYS) expect([(await both.head(key))?.key, (await both.get(key))?.key]).toEqual([key, key]);
    for (const key of KEYS) expect((await both.list({ prefix: key })).objects).toMatchObject([{ key }]);
    const parts = await both.createMultipartUpload(`large_${KEYS[0]}`);
    await parts.complete([]);
    expect(secret.keys()).toContain(`large_${KEYS[0]}`);
    await both.delete([...KEYS]);
    expect([secret.keys(), open.keys()]).toEqual([[`large_${KEYS[0]}`], []]);
    await both.delete(`large_${KEYS[0]}`);
    expect(secret.keys()).toEqual([]);
  });

  it('are there only with the setting and the second binding', async () => {
    const [open, secret] = [memoryBucket(), memoryBucket()];
    const bindings = { MEDIA: open.bucket, PRIVATE_MEDIA: secret.bucket } as never;
    const off = bucketsOf(bindings, parseSettings({}));
    expect([off.bucket === open.bucket, off.isPrivateBound]).toEqual([true, false]);
    const unbound = bucketsOf({ MEDIA: open.bucket } as never, signing.settings);
    await unbound.bucket.put(KEYS[0], 'x');
    expect([open.keys(), unbound.isPrivateBound]).toEqual([[KEYS[0]], false]);
    const on = bucketsOf(bindings, signing.settings);
    await on.bucket.put(KEYS[0], 'x');
    expect([secret.keys(), on.isPrivateBound]).toEqual([[KEYS[0]], true]);
  });
});
