/**
 * @module What lists of former versions have.
 */
import { type Client, documentsOf } from './client.ts';

export interface ListedVersion {
  /** In lists of all documents. */
  readonly type?: string;
  readonly revision: string;
  readonly operation: string;
  readonly version: string;
  readonly locale: string | null;
  readonly hasValues: boolean;
  readonly by: { readonly kind: string; readonly name: string | null };
}

/** The former versions of the document at a path, the newest first; of all documents at `/api`. */
export const historyOf = async (client: Client, path: string, search = ''): Promise<readonly ListedVersion[]> =>
  (await documentsOf(client.get(`${path}/history${search}`))) as readonly object[] as readonly ListedVersion[];
