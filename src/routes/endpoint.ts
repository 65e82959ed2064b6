/**
 * @module A path below `/api` → its endpoint and methods.
 */
import type { ContentType, Registry } from '../registry/model.ts';
import { decoded } from './request-url.ts';

export type Endpoint =
  | { readonly kind: 'list'; readonly type: ContentType }
  | { readonly kind: 'one'; readonly type: ContentType; readonly documentId?: string };

/** @param path names of types match in any case; a documentId keeps its case, and may be percent-encoded */
export function endpointOf(path: string, registry: Registry): Endpoint | undefined {
  const [prefix = '', name = '', segment, ...rest] = path.replace(/\/$/, '').split('/').slice(1);
  const documentId = segment?.includes('%') ? (decoded(segment) ?? segment) : segment;
  if (prefix.toLowerCase() !== 'api' || rest.length > 0) return undefined;
  const type = registry.routes.get(name.toLowerCase());
  if (!type) return undefined;
  if (type.kind === 'singleType') return documentId === undefined ? { kind: 'one', type } : undefined;
  if (documentId === '') return undefined;
  return documentId === undefined ? { kind: 'list', type } : { kind: 'one', type, documentId };
}

export const pathOfType = ({ kind, singularName, pluralName }: ContentType): string =>
  `/api/${kind === 'singleType' ? singularName : pluralName}`;

/** The `Allow` header of a path. */
export function allowedMethods(endpoint: Endpoint | undefined): string {
  if (!endpoint) return 'HEAD, GET';
  return endpoint.kind === 'list' ? 'HEAD, GET, POST' : 'HEAD, GET, PUT, DELETE';
}
