/**
 * @module Files and the documents that use them as a model keeps them, and forms by chance, each with what it changes:
 * written from docs/media.md, without the code that stores files. What is undefined has to be refused.
 */
import type { Dice } from '../support/dice.ts';
import { bytesOf, png } from '../support/pictures.ts';
import { contentType, registryOf } from '../support/schema-files.ts';
import type { Sent } from '../support/uploads.ts';

/** What the bytes of a file are, and what they make of it. */
export interface Content {
  readonly sent: Sent;
  readonly bytes: Uint8Array;
  readonly mime: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly formats: readonly string[];
}

/** What a client may say of a file. */
export interface Words {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
}

export interface StoredFile extends Required<Words> {
  readonly id: number;
  readonly documentId: string;
  readonly ext: string;
  readonly url: string;
  readonly content: Content;
}

/** A version of a document, by `<type>/<documentId>/<locale>/<status>`: documentIds of files. */
export interface Uses {
  readonly id: number;
  readonly cover: string | null;
  readonly gallery: readonly string[];
}
export type Documents = Readonly<Record<string, Uses>>;

const localized = { pluginOptions: { i18n: { localized: true } } };
const attributes = {
  title: { type: 'string', ...localized },
  cover: { type: 'media', ...localized },
  gallery: { type: 'media', multiple: true, ...localized },
};
export const filesRegistry = registryOf([
  contentType('paper', attributes, { drafts: true, localized: true }),
  contentType('slip', attributes),
]);

const TEXTS: readonly Omit<Sent, 'bytes'>[] = [
  { name: 'note.txt', type: 'text/plain' },
  { name: 'Größe (1).CSV', type: 'text/csv' },
  { name: 'no extension', type: 'text/plain' },
];
const PDF: Sent = { bytes: '%PDF-1.7 and more', name: 'a.b.pdf', type: 'application/octet-stream' };
/** Of a type that is denied, by content or by name. */
const DENIED: readonly Sent[] = [
  { bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>', name: 'a.txt', type: 'text/plain' },
  { bytes: 'a text', name: 'a.html', type: 'text/plain' },
];
const FORMATS: Readonly<Record<number, readonly string[]>> = {
  40: [],
  300: ['thumbnail'],
  600: ['small', 'thumbnail'],
};

const bytesIn = ({ bytes }: Sent): Uint8Array => (typeof bytes === 'string' ? bytesOf(bytes) : bytes);

/** A file of one of the kinds that are taken. */
export async function contentFrom(dice: Dice): Promise<Content> {
  const none = { width: null, height: null, formats: [] };
  if (dice.once(5)) {
    const width = dice.pick([40, 300, 600]);
    const sent: Sent = { bytes: await png(width, 100), name: 'Photo 1.png', type: 'image/png' };
    return { sent, bytes: bytesIn(sent), mime: 'image/png', width, height: 100, formats: FORMATS[width] ?? [] };
  }
  if (dice.once(5)) return { sent: PDF, bytes: bytesIn(PDF), mime: 'application/pdf', ...none };
  const named = dice.pick(TEXTS as [Omit<Sent, 'bytes'>, ...Omit<Sent, 'bytes'>[]]);
  const sent: Sent = { ...named, bytes: dice.pick(['a', 'a,b\n1,2', '\r\n--x\r\n', 'z'.repeat(70_000)]) };
  return { sent, bytes: bytesIn(sent), mime: named.type ?? '', ...none };
}

export const deniedFrom = (dice: Dice): Sent => dice.pick(DENIED as [Sent, ...Sent[]]);

type Pair = readonly [sent: unknown, read: unknown];
const KINDS: Readonly<Record<string, readonly Pair[]>> = {
  name: [...['New.txt', 'it\'s "ü" 😀', 'zoe\u0308'].map((text): Pair => [text, text.normalize()]), [5, '5']],
  alternativeText: ['', 'a\nb', '😀 %_'].map((text): Pair => [text, text]),
  caption: [
    ['', ''],
    ['null', 'null'],
    [5, '5'],
    [false, 'false'],
  ],
  focalPoint: [
    [
      { x: 0, y: 100 },
      { x: 0, y: 100 },
    ],
    [
      { x: '1', y: 2.5, z: 3 },
      { x: 1, y: 2.5 },
    ],
    ['{"x":50,"y":20}', { x: 50, y: 20 }],
  ],
};
const WRONG: readonly Readonly<Record<string, unknown>>[] = [
  { caption: { a: 1 } },
  { focalPoint: { x: 101, y: 0 } },
  { focalPoint: { x: 1 } },
  { name: 'a/b.txt' },
  { name: ['a'] },
];
/** Keys that say nothing. */
const IGNORED = { hash: 'mine', url: 'https://example.com/x', ext: '.exe', folder: 3, id: 9, nope: 1 };

export interface Info {
  readonly sent: Readonly<Record<string, unknown>>;
  readonly words: Words | undefined;
}

/** What is said of one file; null says nothing of a text. */
export function infoFrom(dice: Dice): Info {
  const wrong = dice.once(15) ? dice.pick(WRONG as [(typeof WRONG)[number], ...typeof WRONG]) : undefined;
  const pairs = Object.entries(KINDS).flatMap(([key, values]) =>
    dice.once(2) ? [[key, ...dice.pick(values as [Pair, ...Pair[]])] as const] : [],
  );
  const silent = dice.once(5) ? { alternativeText: null } : {};
  const said = Object.fromEntries(pairs.map(([key, value]) => [key, value]));
  const words = Object.fromEntries(pairs.map(([key, , read]) => [key, read]));
  const { alternativeText: _, ...rest } = words;
  const isSilent = 'alternativeText' in silent;
  return {
    sent: { ...(dice.once(4) && IGNORED), ...said, ...silent, ...wrong },
    words: wrong ? undefined : isSilent ? rest : words,
  };
}

/** Where a form puts the files: three fields, and what it makes of the documents; undefined: to be refused. */
export interface Attaching {
  readonly fields: Readonly<Record<string, string>>;
  readonly keys: readonly string[] | undefined;
  readonly field: 'cover' | 'gallery';
}

export function attachingFrom(documents: Documents, dice: Dice): Attaching {
  const field = dice.pick(['cover', 'gallery'] as const);
  const known = Object.keys(documents) as [string, ...string[]];
  const key = dice.pick(known);
  const [type, documentId] = key.split('/');
  const ref = `api::${type}.${type}`;
  if (dice.once(4)) {
    // A document that is not there is found out last, when the bytes are stored.
    const wrong = dice.pick<Readonly<Record<string, string>>>([
      { ref: 'api::no.no' },
      { refId: 'nobody' },
      { refId: 'nobody' },
      { field: 'title' },
    ]);
    return { fields: { ref, refId: documentId ?? '', field, ...wrong }, keys: undefined, field };
  }
  if (dice.once(12)) return { fields: { ref, refId: '99999', field }, keys: [], field };
  if (dice.once(2)) return { fields: { ref, refId: String(documents[key]?.id), field }, keys: [key], field };
  const version = type === 'paper' ? 'en/draft' : '/published';
  const keys = known.filter((each) => each === `${type}/${documentId}/${version}`);
  return { fields: { ref, refId: documentId ?? '', field }, keys, field };
}

/** New files at the end of a list, or the last of them in place of the only one. */
export function attached(documents: Documents, { keys = [], field }: Attaching, files: readonly string[]): Documents {
  const changed = keys.map((key) => {
    const uses = documents[key] as Uses;
    const gallery = [...uses.gallery, ...files];
    return [key, field === 'cover' ? { ...uses, cover: files.at(-1) ?? null } : { ...uses, gallery }] as const;
  });
  return { ...documents, ...Object.fromEntries(changed) };
}

/** The documents without a file. */
export const without = (documents: Documents, gone: string): Documents =>
  Object.fromEntries(
    Object.entries(documents).map(([key, { id, cover, gallery }]) => [
      key,
      { id, cover: cover === gone ? null : cover, gallery: gallery.filter((each) => each !== gone) },
    ]),
  );

export const kilobytes = ({ length }: Uint8Array): number => Number((length / 1000).toFixed(2));
