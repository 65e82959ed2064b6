/**
 * @module Files for recordings that need some, until the upload API is there: a POST to it becomes a row of the file
 * type, which is all that populate and media attributes see of a file.
 */
import type { Fetch } from './client.ts';

const isUpload = (url: string, init: RequestInit): boolean =>
  init.method === 'POST' && new URL(url).pathname === '/api/upload' && init.body instanceof FormData;

const MIME: Readonly<Record<string, string>> = { png: 'image/png', txt: 'text/plain', csv: 'text/csv' };

async function insertFile(db: D1Database, name: string): Promise<unknown> {
  const [extension = ''] = name.split('.').slice(-1);
  const documentId = `file${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`;
  const now = Date.now();
  const row = await db
    .prepare(
      `insert into files (document_id, locale, published_at, created_at, updated_at, name, width, height, hash, ext, mime,
        size, url, provider) values (?, '', ?, ?, ?, ?, 16, 16, ?, ?, ?, 0.09, ?, 'local') returning id`,
    )
    .bind(documentId, now, now, now, name, name, `.${extension}`, MIME[extension] ?? 'text/plain', `/uploads/${name}`)
    .first<{ id: number }>();
  return { id: row?.id, documentId, name };
}

/** Takes uploads out of what `fetch` is asked; the rest goes through. */
export function withFiles(fetch: Fetch, db: D1Database): Fetch {
  return async (url, init) => {
    if (!isUpload(url, init)) return fetch(url, init);
    const files = (init.body as FormData).getAll('files').filter((file) => file instanceof File);
    const rows = await Promise.all(files.map(({ name }) => insertFile(db, name)));
    return Response.json(rows, { status: 201 });
  };
}
