/**
 * @module The media library: folders with their files, and who gets bytes at an address without a signature.
 */

import type { Model } from '../../generators/models.ts';
import { expectDone } from '../content.ts';
import type { Worker } from '../project.ts';
import { asText, type Seen } from '../seen.ts';

type Json = Readonly<Record<string, unknown>>;

/** A response, or what it has in `data`. */
const dataOf = (body: Json): Json => (body.data ?? body) as Json;

interface Folder {
  readonly id: number;
  readonly name: string;
  readonly parent: { readonly id: number } | null;
}

/** Makes two folders, one in the other, and moves a file into the inner one. */
export async function makeFolders({ ask, storage }: Worker): Promise<void> {
  const make = async (name: string, parent: number | null) =>
    Number(dataOf(await expectDone(ask, 'POST', '/api/upload/folders', { name, parent })).id);
  const inner = await make('inner', await make('outer', null));
  const file = await storage.db.prepare('select max(id) as id from files').first('id');
  await expectDone(ask, 'POST', `/api/upload?id=${file}`, { fileInfo: { folder: inner } });
}

export async function seeLibrary({ ask, storage }: Worker, _: Model): Promise<Seen> {
  const folders = dataOf(await expectDone(ask, 'GET', '/api/upload/folders')) as unknown as readonly Folder[];
  const pathOf = ({ name, parent }: Folder): string => {
    const above = folders.find(({ id }) => id === parent?.id);
    return above ? `${pathOf(above)}/${name}` : name;
  };
  const lines: unknown[] = [];
  for (const folder of folders) {
    const page = await expectDone(ask, 'GET', `/api/upload/folders/${folder.id}/files`);
    const files = dataOf(page) as unknown as readonly { readonly name: string }[];
    lines.push({ folder: pathOf(folder), files: files.map(({ name }) => name) });
  }
  const { results } = await storage.db.prepare('select hash, ext from files').all();
  for (const { hash, ext } of results) {
    const { status, body } = await ask('GET', `/uploads/${hash}${ext}`, undefined, null);
    lines.push({ key: `${hash}${ext}`, status, text: status === 200 ? body : null });
  }
  return { library: asText(lines) };
}
