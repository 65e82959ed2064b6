/**
 * @module What may do what: a token with conditions, and a caller without any, of each content type.
 */
import { type Model, pathOf, uidOf } from '../../generators/models.ts';
import type { Worker } from '../project.ts';
import { asText, type Seen } from '../seen.ts';

type Found = Readonly<{ data?: unknown }>;

export async function seeRights({ ask }: Worker, model: Model): Promise<Seen> {
  const lines: unknown[] = [];
  for (const type of model.types)
    for (const caller of ['custom', null]) {
      const { status, body } = await ask('GET', `${pathOf(type)}?fields=documentId&sort=documentId`, undefined, caller);
      const documents = [(body as Found).data ?? []].flat() as unknown as readonly { readonly documentId: string }[];
      const found = status === 404 && type.single ? 200 : status;
      lines.push({ type: uidOf(type), caller, status: found, ids: documents.map(({ documentId }) => documentId) });
    }
  return { rights: asText(lines) };
}
