/**
 * @module Code that sends a request. The credential is never in it.
 */
import { address, type Query } from '../api/query-string.ts';
import type { Explored } from './request-state.ts';

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
export function literal(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return scalar(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  const parts = entries.map(([name, entry]) => `${isList ? '' : `${key(name)}: `}${literal(entry, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (!line.includes('\n') && line.length + indent.length <= LONGEST) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** Returns the address with everything encoded that a shell or a text literal would take apart. */
export const encoded = (origin: string, { path, query }: Explored): string =>
  `${origin}${address(path, query)}`.replace(
    /['"\\`\s]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

const AUTHORIZATION = "headers: { Authorization: 'Bearer ' + process.env.TOKEN }";

const given = (query: Query): string => (Object.keys(query).length === 0 ? '' : literal(query));

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

/** Returns code by its name. @param origin such as `http://127.0.0.1:8787` */
export function snippets(origin: string, explored: Explored, hasToken: boolean): Readonly<Record<string, string>> {
  const url = encoded(origin, explored);
  const options = hasToken ? `, {\n  ${AUTHORIZATION},\n}` : '';
  const send = (target: string) =>
    `const response = await fetch(${target}${options});\nconst answer = await response.json();\n`;
  return {
    curl: `curl -g ${hasToken ? '-H "Authorization: Bearer $TOKEN" ' : ''}'${url}'\n`,
    fetch: send(`'${url}'`),
    qs: `import qs from 'qs';\n\nconst query = qs.stringify(${literal(explored.query)}, { encodeValuesOnly: true });\n${send(`\`${encoded(origin, { ...explored, query: {} })}?\${query}\``)}`,
    '@strapi/client': `import { strapi } from '@strapi/client';\n\nconst client = strapi({ baseURL: '${origin}/api'${hasToken ? ', auth: process.env.TOKEN' : ''} });\nconst answer = await ${clientCall(explored)};\n`,
  };
}
