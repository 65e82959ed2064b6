/**
 * @module The structure of a `blocks` value: which nodes may stand where, and what each must have.
 */
import type { Issue } from '../../errors.ts';
import { isObject } from '../../json.ts';
import type { InputData } from '../../request/body.ts';
import { checkEach } from './check-each.ts';
import { printPath, wrongType } from './messages.ts';

type Path = readonly string[];
/** Checks `node[key]`; numbers in place of text are turned into text by `normaliseBlocks`. */
type Check = (value: unknown, path: Path) => readonly Issue[];
type Shape = Readonly<Record<string, Check>>;

const issue = (path: Path, message: string, value: unknown): readonly Issue[] => [
  { path, message, ...(value !== undefined && { value }) },
];
const required = (path: Path, value: unknown) => issue(path, `${printPath(path)} is a required field`, value);
const isAbsent = (value: unknown): value is undefined => value === undefined;

const wrong = (path: Path, type: string, value: unknown) =>
  issue(path, wrongType(printPath(path), type, value, value), value);

const optional =
  (check: Check, nullable = false): Check =>
  (value, path) =>
    isAbsent(value) || (nullable && value === null) ? [] : check(value, path);

const text: Check = (value, path) => {
  if (isAbsent(value) || value === '') return required(path, value);
  return ['string', 'number', 'boolean'].includes(typeof value) ? [] : wrong(path, 'string', value);
};
const plainText: Check = (value, path) => (value === '' ? [] : text(value, path));
const number: Check = (value, path) => {
  if (isAbsent(value)) return required(path, value);
  const valid =
    (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) && !Number.isNaN(Number(value));
  return valid ? [] : issue(path, wrongType(printPath(path), 'number', Number.NaN, value), null);
};
const TRUE = new Set<unknown>([true, 'true', '1', 1]);
const FALSE = new Set<unknown>([false, 'false', '0', 0]);
const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
const isFlag = (value: unknown): boolean => TRUE.has(lower(value)) || FALSE.has(lower(value));
const flag: Check = (value, path) => (isAbsent(value) || isFlag(value) ? [] : wrong(path, 'boolean', value));
const object: Check = (value, path) => (isObject(value) ? [] : wrong(path, 'object', value));
const anything: Check = () => [];

/** Of an object `String` and `Number` would be whatever it says, or an exception. */
const oneOf =
  (values: readonly unknown[], convert: (value: unknown) => unknown): Check =>
  (value, path) => {
    if (isAbsent(value)) return required(path, value);
    const converted = typeof value === 'object' ? value : convert(value);
    if (values.includes(converted)) return [];
    return issue(path, `${printPath(path)} must be one of the following values: ${values.join(', ')}`, converted);
  };

const textContent: Check = (value, path) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? []
    : issue(path, 'Text must be defined with at least an empty string', value);

const LINK_PROTOCOLS = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'tel:']);

const link: Check = (value, path) => {
  if (typeof value === 'object' && value !== null) return wrong(path, 'string', value);
  const address = typeof value === 'string' ? value : '';
  try {
    if (LINK_PROTOCOLS.has(new URL(address.startsWith('/') ? `https://site.invalid${address}` : address).protocol))
      return [];
  } catch {
    // Not an address at all.
  }
  return issue(path, 'Please specify a valid link.', value);
};

const checkShape = (node: InputData, shape: Shape, path: Path): readonly Issue[] =>
  Object.entries(shape).flatMap(([key, check]) => check(node[key], [...path, key]));

/** A list of nodes, each checked by what its `type` says; `fewest` words the refusal of an empty list. */
const nodes =
  (kinds: () => Readonly<Record<string, Shape>>, unknown: string, fewest?: string): Check =>
  (value, path) => {
    if (isAbsent(value)) return required(path, value);
    if (!Array.isArray(value)) return issue(path, wrongType(printPath(path), 'array', null, value), null);
    if (value.length === 0 && fewest) return issue(path, fewest, value);
    return checkEach(value, path, (node, at) => nodeIssues(node, kinds(), unknown, at));
  };

function nodeIssues(
  node: unknown,
  kinds: Readonly<Record<string, Shape>>,
  unknown: string,
  path: Path,
): readonly Issue[] {
  if (!isObject(node) || typeof node.type !== 'string' || !Object.hasOwn(kinds, node.type))
    return issue(path, unknown, node);
  return checkShape(node, kinds[node.type] ?? {}, path);
}

const TEXT_NODE: Shape = {
  text: textContent,
  bold: flag,
  italic: flag,
  underline: flag,
  strikethrough: flag,
  code: flag,
};
const fewest = (kind: string) => `${kind} node children must have at least one Text or Link node`;

const onlyText = (least?: string) => nodes(() => ({ text: TEXT_NODE }), 'Inline node must be Text or Link', least);
const inline = (least?: string) => nodes(() => INLINE, 'Inline node must be Text or Link', least);
const INLINE: Readonly<Record<string, Shape>> = { text: TEXT_NODE, link: { url: link, children: onlyText() } };

const LIST: Shape = {
  format: oneOf(['ordered', 'unordered'], String),
  children: nodes(
    () => LIST_CHILDREN,
    'Inline node must be list-item or list',
    'List node children must have at least one ListItem or ListNode',
  ),
};
const LIST_CHILDREN: Readonly<Record<string, Shape>> = { 'list-item': { children: inline() }, list: LIST };

const IMAGE: Shape = {
  name: text,
  alternativeText: optional(plainText, true),
  url: text,
  caption: optional(plainText, true),
  width: number,
  height: number,
  formats: optional(object, true),
  hash: text,
  ext: text,
  mime: text,
  size: number,
  previewUrl: optional(plainText, true),
  provider: text,
  provider_metadata: anything,
  createdAt: text,
  updatedAt: text,
};

const BLOCKS: Readonly<Record<string, Shape>> = {
  paragraph: { children: inline(fewest('Paragraph')) },
  heading: { level: oneOf([1, 2, 3, 4, 5, 6], Number), children: inline(fewest('Heading')) },
  quote: { children: inline(fewest('Quote')) },
  code: { language: optional(plainText, true), children: onlyText(fewest('Quote')) },
  list: LIST,
  image: {
    image: (value, path) => checkShape(isObject(value) ? value : {}, IMAGE, path),
    children: inline(),
  },
};

const block = nodes(() => BLOCKS, 'Block node is of invalid type');

/** Everything wrong with a `blocks` value, each with the path of the node. */
export const blockIssues = (value: readonly unknown[], path: readonly string[]): readonly Issue[] => block(value, path);

type Cast = (value: unknown) => unknown;

const asText: Cast = (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);
const asNumber: Cast = (value) => (typeof value === 'string' ? Number(value) : value);
const asFlag: Cast = (value) => (isFlag(value) ? TRUE.has(lower(value)) : value);
const asNode: Cast = (value) => (isObject(value) ? castKeys(value, IMAGE_CASTS) : value);

const FLAGS = { bold: asFlag, italic: asFlag, underline: asFlag, strikethrough: asFlag, code: asFlag };
const IMAGE_CASTS: Readonly<Record<string, Cast>> = { width: asNumber, height: asNumber, size: asNumber };
const CASTS: Readonly<Record<string, Readonly<Record<string, Cast>>>> = {
  text: { text: asText, ...FLAGS },
  heading: { level: asNumber },
  code: { language: asText },
  image: { image: asNode },
};

const castKeys = (node: InputData, casts: Readonly<Record<string, Cast>>): InputData =>
  Object.fromEntries(
    Object.entries(node).map(([key, item]) => [key, Object.hasOwn(casts, key) ? casts[key]?.(item) : item]),
  );

/** What came as text, or as a number in place of text, takes the type of its key, as the reference stores it. */
export function normaliseBlocks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normaliseBlocks);
  if (!isObject(value)) return value;
  const node = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, normaliseBlocks(item)]));
  const { type } = node;
  return typeof type === 'string' && Object.hasOwn(CASTS, type) ? castKeys(node, CASTS[type] ?? {}) : node;
}
