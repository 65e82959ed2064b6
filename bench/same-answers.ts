/**
 * @module Before anything is timed: do both servers answer the same, byte for byte, and do they store the same?
 */
import { nextUnique } from './load.ts';
import { type BenchRequest, type BenchRow, bodyOf, headersOf } from './rows.ts';
import type { Server } from './server.ts';

async function answerOf(server: Server, request: BenchRequest, number: number): Promise<string> {
  const { method, path } = request;
  const body = bodyOf(request, number);
  const init = { method, headers: headersOf(request), ...(body !== undefined && { body }) };
  const response = await fetch(server.url + path, init);
  return `${response.status} ${await response.text()}`;
}

/** A new version without what chance, clock and row numbers gave it. */
const masked = (text: string): string =>
  text
    .replace(/"id":\d+/g, '"id":…')
    .replace(/"documentId":"[a-z0-9]{24}"/g, '"documentId":"…"')
    .replace(/"(hash|url)":"[^"]+"/g, '"$1":"…"')
    .replace(/"(createdAt|updatedAt|publishedAt)":"[\d-]{10}T[\d:.]{12}Z"/g, '"$1":"…"');

/** @throws Error that shows the first place where two texts differ, with what stands around it. */
export function assertEqual(what: string, left: string, right: string, other = 'hand-written'): void {
  if (left === right) return;
  const at = [...left].findIndex((character, index) => character !== right[index]);
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  throw new Error(`${what}\nproduct: …${around(left)}…\n${other}: …${around(right)}…`);
}

/**
 * Asks both servers everything that the row will ask.
 * @param name of the other server, for the error.
 * @throws Error that shows where the answers differ.
 */
export async function assertSameAnswers(row: BenchRow, size: number, product: Server, other: Server, name?: string) {
  for (const request of row.requests(size)) {
    const number = nextUnique();
    const answers = await Promise.all([product, other].map((server) => answerOf(server, request, number)));
    const [left = '', right = ''] = request.body ? answers.map(masked) : answers;
    const what = `${row.title}: ${request.method} ${request.path}`;
    assertEqual(what, left, right, name);
    if (!/^20[01] /.test(left)) throw new Error(`${what}\n${left}`);
  }
}

/** @throws Error that shows where two documents, told as JSON, differ in more than ids and times. */
export const assertSameDocuments = (row: BenchRow, product: string, handwritten: string): void =>
  assertEqual(`${row.title}: what was written`, masked(product), masked(handwritten));
