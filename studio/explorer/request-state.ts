/**
 * @module The request that the explorer shows: a path and a query, read from what was typed or clicked, and as code.
 */
import { address, attempt, isQuery, type Query, readQuery, textList } from '../api/query-string.ts';
import { at, type Model } from '../model/model.ts';

/** Returns the path and the query of an address of this server's API, or undefined for every other address. */
export function ownAddress(text: string, origin: string): string | undefined {
  const url = URL.parse(text.trim(), origin);
  if (url?.origin !== origin) return undefined;
  const { pathname, search } = url;
  // The server decodes paths, and matches them in any case.
  const isAccount = /^\/api\/+(auth|connect)\//i.test(attempt(() => decodeURI(pathname), pathname));
  return pathname.startsWith('/api/') && !isAccount ? `${pathname}${search}` : undefined;
}

/** @param address path and query */
export function readAddress(model: Model, address: string) {
  const [path = '', ...rest] = address.split('?');
  const types = [...model.types.values()];
  /** What the path leads to; undefined for other paths of the API. */
  const type = types.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  const end = type && path !== type.path ? path.slice(type.path.length + 1) : undefined;
  /** Undefined for lists and single types, empty where it is still to be typed. A `%` may encode nothing. */
  const documentId = end && attempt(() => decodeURIComponent(end), end);
  return { path, query: readQuery(rest.join('?')), type, documentId };
}

export type Explored = ReturnType<typeof readAddress>;

/** What is populated below each name; `*` is everything, one level deep, and `@card` a preset, which stands alone. */
type Populated = Readonly<Record<string, Query>>;

function addPath(tree: Populated, [name = '', ...rest]: readonly string[]): Populated {
  const inner = tree[name] ?? {};
  return {
    ...tree,
    [name]:
      rest.length === 0 ? inner : { ...inner, populate: writePopulate(addPath(readPopulate(inner.populate), rest)) },
  };
}

/** Reads any form of `populate`: names with dots, lists, and objects. */
export function readPopulate(value: unknown): Populated {
  if (!isQuery(value)) return textList(value).reduce<Populated>((tree, path) => addPath(tree, path.split('.')), {});
  const entries = Object.entries(value).filter(([, inner]) => String(inner) !== 'false');
  if (entries.some(([name]) => /^\d+$/.test(name))) return readPopulate(Object.values(value));
  return Object.fromEntries(entries.map(([name, inner]) => [name, isQuery(inner) ? inner : {}]));
}

const TEXT_OF_POPULATE = 'components parameters Populate schema anyOf 1 examples'.split(' ');

/** Returns `@deep:2` and the like, where the settings allow them. */
export const depthsOf = ({ description }: Pick<Model, 'description'>): readonly string[] =>
  (at(description, ...TEXT_OF_POPULATE) ?? []) as readonly string[];

export const isPreset = (name: string): boolean => name.startsWith('@');

/** Returns the tree with one name more, or with other options below it. */
export function withBranch(tree: Populated, name: string, inner: Query): Populated {
  const beside = isPreset(name) ? [] : Object.entries(tree).filter(([key]) => !isPreset(key));
  return { ...Object.fromEntries(beside), [name]: inner };
}

/** Returns `populate`, or undefined where nothing is populated. */
export function writePopulate(tree: Populated): unknown {
  const entries = Object.entries(tree).map(([name, inner]) => {
    const given = Object.entries(inner).filter(([, value]) => value !== undefined);
    return [name, given.length > 0 ? Object.fromEntries(given) : true] as const;
  });
  if (entries.length === 0) return undefined;
  const [[first = ''] = [], second] = entries;
  return !second && (first === '*' || isPreset(first)) ? first : Object.fromEntries(entries);
}

const LONGEST = 70;

/** Returns a text literal in single quotes. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Texts of a query string that are numbers and flags in code; the string that is sent stays the same. */
function scalar(value: unknown): string {
  const text = String(value);
  const isNumber = /^-?\d+(\.\d+)?$/.test(text) && String(Number(text)) === text;
  return isNumber || text === 'true' || text === 'false' ? text : quoted(text);
}

const key = (name: string): string =>
  /^[$a-z_][$\w]*$/i.test(name) && name !== '__proto__' ? name : `[${quoted(name)}]`;

/** Writes a query as an object literal. */
export function codeLiteral(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return scalar(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  const parts = entries.map(([name, entry]) => `${isList ? '' : `${key(name)}: `}${codeLiteral(entry, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (!line.includes('\n') && line.length + indent.length <= LONGEST) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** Returns the address with everything encoded that a shell or a text literal would take apart. */
const encoded = (origin: string, { path, query }: Explored): string =>
  `${origin}${address(path, query)}`.replace(
    /['"\\`\s]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

const AUTHORIZATION = "headers: { Authorization: 'Bearer ' + process.env.TOKEN }";

const given = (query: Query): string => (Object.keys(query).length === 0 ? '' : codeLiteral(query));

function clientCall({ path, query, type, documentId }: Explored): string {
  const isOwn = type && !type.isSystem;
  if (isOwn && type.kind === 'singleType') return `client.single(${quoted(type.segment)}).find(${given(query)})`;
  if (isOwn && documentId !== undefined) {
    const id = quoted(documentId);
    return `client.collection(${quoted(type.segment)}).findOne(${[id, given(query)].filter(Boolean).join(', ')})`;
  }
  if (isOwn) return `client.collection(${quoted(type.segment)}).find(${given(query)})`;
  return `client.fetch(${quoted(encoded('', { path: path.replace(/^\/api/, ''), query, type, documentId }))}).then((response) => response.json())`;
}

/** Returns code that sends the request, by its name. The credential is never in it. @param origin such as `http://127.0.0.1:8787` */
export function snippets(origin: string, explored: Explored, hasToken: boolean): Readonly<Record<string, string>> {
  const url = encoded(origin, explored);
  const options = hasToken ? `, {\n  ${AUTHORIZATION},\n}` : '';
  const send = (target: string) =>
    `const response = await fetch(${target}${options});\nconst answer = await response.json();\n`;
  return {
    curl: `curl -g ${hasToken ? '-H "Authorization: Bearer $TOKEN" ' : ''}'${url}'\n`,
    fetch: send(`'${url}'`),
    qs: `import qs from 'qs';\n\nconst query = qs.stringify(${codeLiteral(explored.query)}, { encodeValuesOnly: true });\n${send(`\`${encoded(origin, { ...explored, query: {} })}?\${query}\``)}`,
    '@strapi/client': `import { strapi } from '@strapi/client';\n\nconst client = strapi({ baseURL: '${origin}/api'${hasToken ? ', auth: process.env.TOKEN' : ''} });\nconst answer = await ${clientCall(explored)};\n`,
  };
}
