/**
 * @module The structure of a `blocks` value: the allowed nodes and their keys.
 */
import type { Issue } from '../../../common/errors.ts';
import { isObject } from '../../../common/json.ts';
import type { InputData } from '../../request/body.ts';
import { checkEach, type IssuePath, issueAt, printPath, wrongType } from './issues.ts';

/** Checks `node[key]`; numbers are valid as texts, since `normaliseBlocks` converts them. */
type Check = (value: unknown, path: IssuePath) => readonly Issue[];
type Shape = Readonly<Record<string, Check>>;
type Shapes = Readonly<Record<string, Shape>>;

const issue = (path: IssuePath, message: string, value: unknown) => [issueAt(path, message, value)];
const required = (path: IssuePath, value: unknown) => issue(path, `${printPath(path)} is a required field`, value);

const wrong = (path: IssuePath, type: string, value: unknown) =>
  issue(path, wrongType(printPath(path), type, value, value), value);

const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined || value === null ? [] : check(value, path);

const isTextual = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
const text: Check = (value, path) => {
  if (value === undefined || value === '') return required(path, value);
  return isTextual(value) ? [] : wrong(path, 'string', value);
};
const plainText: Check = (value, path) => (value === '' ? [] : text(value, path));
const number: Check = (value, path) => {
  if (value === undefined) return required(path, value);
  const valid =
    (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) && !Number.isNaN(Number(value));
  return valid ? [] : issue(path, wrongType(printPath(path), 'number', Number.NaN, value), null);
};
const TRUE = new Set<unknown>([true, 'true', '1', 1]);
const FALSE = new Set<unknown>([false, 'false', '0', 0]);
const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
const isFlag = (value: unknown): boolean => TRUE.has(lower(value)) || FALSE.has(lower(value));
const flag: Check = (value, path) => (value === undefined || isFlag(value) ? [] : wrong(path, 'boolean', value));
const object: Check = (value, path) => (isObject(value) ? [] : wrong(path, 'object', value));
const anything: Check = () => [];

/** Converts no objects: `String` and `Number` call their methods, which may throw. */
const oneOf =
  (values: readonly unknown[], convert: (value: unknown) => unknown): Check =>
  (value, path) => {
    if (value === undefined) return required(path, value);
    const converted = typeof value === 'object' ? value : convert(value);
    if (values.includes(converted)) return [];
    return issue(path, `${printPath(path)} must be one of the following values: ${values.join(', ')}`, converted);
  };

const textContent: Check = (value, path) =>
  isTextual(value) ? [] : issue(path, 'Text must be defined with at least an empty string', value);

const LINK_PROTOCOLS = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'tel:']);

const link: Check = (value, path) => {
  if (typeof value === 'object' && value !== null) return wrong(path, 'string', value);
  const address = typeof value === 'string' ? value : '';
  try {
    if (LINK_PROTOCOLS.has(new URL(address.startsWith('/') ? `https://site.invalid${address}` : address).protocol))
      return [];
  } catch {
    // No address.
  }
  return issue(path, 'Please specify a valid link.', value);
};

const checkShape = (node: InputData, shape: Shape, path: IssuePath): readonly Issue[] =>
  Object.entries(shape).flatMap(([key, check]) => check(node[key], [...path, key]));

/** Returns the value under an own key of a node's `type`. */
const ofType = <T>(table: Readonly<Record<string, T>>, { type }: InputData): T | undefined =>
  typeof type === 'string' && Object.hasOwn(table, type) ? table[type] : undefined;

/** Checks a list of nodes by their `type`. @param empty the message for an empty list; absent: valid */
const nodes =
  (shapes: () => Shapes, unknown: string, empty?: string): Check =>
  (value, path) => {
    if (value === undefined) return required(path, value);
    if (!Array.isArray(value)) return issue(path, wrongType(printPath(path), 'array', null, value), null);
    if (value.length === 0 && empty) return issue(path, empty, value);
    return checkEach(value, path, (node, at) => {
      const shape = isObject(node) ? ofType(shapes(), node) : undefined;
      return isObject(node) && shape ? checkShape(node, shape, at) : issue(at, unknown, node);
    });
  };

const marks = <T>(value: T): Readonly<Record<string, T>> =>
  Object.fromEntries(['bold', 'italic', 'underline', 'strikethrough', 'code'].map((name) => [name, value]));

const TEXT_NODE: Shape = { text: textContent, ...marks(flag) };
const emptyOf = (kind: string) => `${kind} node children must have at least one Text or Link node`;

const onlyText = (empty?: string) => nodes(() => ({ text: TEXT_NODE }), 'Inline node must be Text or Link', empty);
const inline = (empty?: string) => nodes(() => INLINE, 'Inline node must be Text or Link', empty);
const INLINE: Shapes = { text: TEXT_NODE, link: { url: link, children: onlyText() } };

const LIST: Shape = {
  format: oneOf(['ordered', 'unordered'], String),
  children: nodes(
    () => LIST_CHILDREN,
    'Inline node must be list-item or list',
    'List node children must have at least one ListItem or ListNode',
  ),
};
const LIST_CHILDREN: Shapes = { 'list-item': { children: inline() }, list: LIST };

const IMAGE: Shape = {
  name: text,
  alternativeText: optional(plainText),
  url: text,
  caption: optional(plainText),
  width: number,
  height: number,
  formats: optional(object),
  hash: text,
  ext: text,
  mime: text,
  size: number,
  previewUrl: optional(plainText),
  provider: text,
  provider_metadata: anything,
  createdAt: text,
  updatedAt: text,
};

const BLOCKS: Shapes = {
  paragraph: { children: inline(emptyOf('Paragraph')) },
  heading: { level: oneOf([1, 2, 3, 4, 5, 6], Number), children: inline(emptyOf('Heading')) },
  quote: { children: inline(emptyOf('Quote')) },
  code: { language: optional(plainText), children: onlyText(emptyOf('Quote')) },
  list: LIST,
  image: {
    image: (value, path) => checkShape(isObject(value) ? value : {}, IMAGE, path),
    children: inline(),
  },
};

/** Returns the issues of a `blocks` value. */
export const blockIssues: Check = nodes(() => BLOCKS, 'Block node is of invalid type');

type Cast = (value: unknown) => unknown;
type Casts = Readonly<Record<string, Cast>>;

const asText: Cast = (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);
const asNumber: Cast = (value) => (typeof value === 'string' ? Number(value) : value);
const asFlag: Cast = (value) => (isFlag(value) ? TRUE.has(lower(value)) : value);
const asImage: Cast = (value) =>
  isObject(value) ? castKeys(value, { width: asNumber, height: asNumber, size: asNumber }) : value;

const CASTS: Readonly<Record<string, Casts>> = {
  text: { text: asText, ...marks(asFlag) },
  heading: { level: asNumber },
  code: { language: asText },
  image: { image: asImage },
};

const castKeys = (node: InputData, casts: Casts): InputData =>
  Object.fromEntries(
    Object.entries(node).map(([key, item]) => [key, Object.hasOwn(casts, key) ? casts[key]?.(item) : item]),
  );

/** Converts texts, numbers and flags to the type of their key, as Strapi stores them. */
export function normaliseBlocks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normaliseBlocks);
  if (!isObject(value)) return value;
  const node = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, normaliseBlocks(item)]));
  return castKeys(node, ofType(CASTS, node) ?? {});
}
