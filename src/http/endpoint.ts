/**
 * @module A path below `/api` → its endpoint and methods.
 */
import { type DocumentRef, namedDocument, single } from '../schema/document-ref.ts';
import { isLookup, type Lookup, lookupOf } from '../schema/lookup.ts';
import type { ContentType, Registry } from '../schema/model.ts';
import { DOCUMENT_ACTIONS, type DocumentAction, pathOfAction } from '../schema/publication.ts';
import type { Settings } from '../schema/settings/config.ts';
import { decoded } from './request-url.ts';

export type Endpoint =
  | { readonly kind: 'list'; readonly type: ContentType }
  | { readonly kind: 'one'; readonly type: ContentType; readonly document: DocumentRef }
  /** `slug:night`; absent if no document can have the value. */
  | { readonly kind: 'lookup'; readonly type: ContentType; readonly lookup?: Lookup | undefined }
  | {
      readonly kind: 'action';
      readonly type: ContentType;
      readonly document: DocumentRef;
      readonly action: DocumentAction;
    }
  | {
      readonly kind: 'history';
      readonly type: ContentType;
      readonly document: DocumentRef;
      /** Absent: the list of them. */
      readonly revision?: string;
    };

/** Returns the action that the segments behind a document name, in any case. */
function actionIn([actions = '', name = '', ...rest]: readonly string[]): DocumentAction | undefined {
  if (actions.toLowerCase() !== 'actions' || rest.length > 0) return undefined;
  return DOCUMENT_ACTIONS.find((action) => pathOfAction(action) === name.toLowerCase());
}

/** `history` and `history/:revision` behind a document. */
function historyIn([name = '', revision, ...rest]: readonly string[]): { readonly revision?: string } | undefined {
  if (name.toLowerCase() !== 'history' || rest.length > 0) return undefined;
  return revision === undefined ? {} : { revision };
}

/** @param segments those behind the name of the type */
function partOf(type: ContentType, segments: readonly string[]): Endpoint | undefined {
  const [documentId = '', ...behind] = segments;
  const rest = type.kind === 'singleType' ? segments : behind;
  if (documentId === '') return undefined;
  const document = type.kind === 'singleType' ? single(type) : namedDocument(decoded(documentId) ?? documentId);
  const action = actionIn(rest);
  if (action) return { kind: 'action', type, document, action };
  const history = historyIn(rest);
  return history && { kind: 'history', type, document, ...history };
}

interface Served {
  readonly registry: Registry;
  readonly settings: Settings;
}

/** @param path names of types match in any case; a documentId keeps its case, and may be percent-encoded */
export function endpointOf(path: string, { registry, settings }: Served): Endpoint | undefined {
  const [prefix = '', name = '', segment, ...rest] = path.replace(/\/$/, '').split('/').slice(1);
  const documentId = segment?.includes('%') ? (decoded(segment) ?? segment) : segment;
  if (prefix.toLowerCase() !== 'api') return undefined;
  const type = registry.routes.get(name.toLowerCase());
  if (!type) return undefined;
  if (segment !== undefined && (rest.length > 0 || type.kind === 'singleType')) return partOf(type, [segment, ...rest]);
  if (type.kind === 'singleType') return { kind: 'one', type, document: single(type) };
  if (documentId === '') return undefined;
  if (documentId !== undefined && settings.api.rest.extensions && isLookup(documentId))
    return { kind: 'lookup', type, lookup: lookupOf(documentId, type) };
  return documentId === undefined ? { kind: 'list', type } : { kind: 'one', type, document: namedDocument(documentId) };
}

export const pathOfType = ({ kind, singularName, pluralName }: ContentType): string =>
  `/api/${kind === 'singleType' ? singularName : pluralName}`;

const READS = ['HEAD', 'GET'];

const METHODS: Readonly<Record<Endpoint['kind'], readonly string[]>> = {
  list: ['HEAD', 'GET', 'POST'],
  one: ['HEAD', 'GET', 'PUT', 'DELETE'],
  lookup: READS,
  action: ['POST'],
  history: READS,
};

/** The methods of a path, in the order of its `Allow` header. */
export function allowedMethods(endpoint: Endpoint | undefined): readonly string[] {
  return endpoint ? METHODS[endpoint.kind] : READS;
}
