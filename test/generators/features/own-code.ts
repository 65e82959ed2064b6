/**
 * @module Code of a project that reads and writes documents with the grants of the caller: the requests of other surfaces,
 * as calls of a route.
 */
import fc from 'fast-check';
import { parse } from 'qs';
import type { AnyExtensions } from '../../../src/features/own-code/extension-types.ts';
import type { Registry } from '../../../src/schema/model.ts';
import type { Planned } from '../step.ts';
import type { Requests } from '../subject.ts';
import { publication } from './publication.ts';
import { read } from './reads.ts';
import { create, remove, update } from './writes.ts';

/** What a request of own code asks for. */
interface OwnCall {
  readonly uid: string;
  readonly operation: string;
  readonly documentId?: string;
  readonly params: object;
}

type Operation = (...parameters: readonly unknown[]) => Promise<unknown>;

/** Code of a project: calls an operation of the documents of a type, with the grants of the caller. */
export const ownRoutes: AnyExtensions['routes'] = (app) =>
  app.post('/own', async (context) => {
    const { uid, operation, documentId, params } = await context.req.json<OwnCall>();
    const documents = context.var.documents(uid) as unknown as Readonly<Record<string, Operation>>;
    const call = documents[operation] ?? (async () => 'no such operation');
    return context.json({ result: await call(...(documentId === undefined ? [] : [documentId]), params) });
  });

const OPERATIONS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', DELETE: 'delete' };
const ACTIONS: Readonly<Record<string, string>> = { 'discard-draft': 'discardDraft' };

/** `GET /api/stories/<id>?populate=*` as the call of `findOne`. */
function called({ method, path, json }: Planned, registry: Registry): Planned {
  const [target = '', query = ''] = path.split('?');
  const [, , name = '', given, , action] = target.split('/');
  // An empty one is a mistake of the code, for which `documents` throws.
  const documentId = given === '' ? 'nothing' : given;
  const type = registry.routes.get(name);
  const single = type?.kind === 'singleType';
  const operation = OPERATIONS[method] ?? (documentId === undefined || single ? 'find' : 'findOne');
  const { data } = (json ?? {}) as { data?: unknown };
  return {
    method: 'POST',
    path: '/own',
    json: {
      uid: type?.uid ?? name,
      operation: action === undefined ? operation : (ACTIONS[action] ?? action),
      documentId: single ? undefined : documentId,
      params: { ...parse(query, { depth: 20 }), ...(data !== undefined && { data }) },
    },
  };
}

export const ownCode: Requests = (subject) =>
  fc
    .oneof(...[read, read, create, update, update, remove, publication].map((requests) => requests(subject)))
    .map((planned) => called(planned, subject.registry));
