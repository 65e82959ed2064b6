/**
 * @module The documents of a content type for the project's own code: the operations of the Content API without HTTP.
 */
import { CODE } from '../../content/credentials/credential.ts';
import { find } from '../../content/operations/find.ts';
import { findOne } from '../../content/operations/find-one.ts';
import { changePublication } from '../../content/operations/publication.ts';
import { remove } from '../../content/operations/remove.ts';
import { write } from '../../content/operations/write.ts';
import type { Call } from '../../content/runtime/call.ts';
import type { WriteCall } from '../../content/runtime/content-call.ts';
import { writtenDocument } from '../../content/runtime/document-id.ts';
import { namedDocument, single } from '../../schema/document-ref.ts';
import type { ContentType } from '../../schema/model.ts';
import { PUBLICATION_ACTIONS } from '../../schema/publication.ts';
import type { AnyTypes, Documents } from './document-types.ts';
import { dataOfValue, rawQueryOf } from './input.ts';

type Params = { readonly data?: unknown };

const decoder = new TextDecoder();

/**
 * A call with parameters of code. Its keys in the caches are no path and no query string of a request. A hook has the
 * call of its write, whose headers are not for others.
 * @param documentId absent for a single type, and for a list or a new document
 */
function callWith(call: Partial<WriteCall> & Call, type: ContentType, params: Params, documentId?: string): WriteCall {
  const { ifMatch: _, ifNoneMatch: __, idempotencyKey: ___, ...others } = call;
  const { isRestoring: ____, schedule: _____, isOfTool: ______, ...own } = others;
  const { data, ...rest } = params;
  const query = rawQueryOf(rest);
  const named = documentId === undefined ? undefined : namedDocument(documentId);
  return {
    ...own,
    type,
    format: 'v5',
    pathname: documentId === undefined ? type.uid : `${type.uid}/${encodeURIComponent(documentId)}`,
    search: JSON.stringify(query),
    held: [],
    bodiless: false,
    query: () => query,
    data: () => dataOfValue(data, call.settings.api.rest.limits),
    ...writtenDocument(type.kind === 'singleType' ? single(type) : named),
  };
}

async function readWith(read: (call: WriteCall) => ReturnType<typeof find>, call: WriteCall): Promise<unknown> {
  const { bytes } = await read(call);
  return JSON.parse(decoder.decode(bytes));
}

/** In code, a write without `status` publishes, whatever the setting of requests. */
const written = (call: WriteCall): WriteCall => ({ ...call, query: () => ({ status: 'published', ...call.query() }) });

/** Where each document has an id, it comes first. */
function operations(call: Call, type: ContentType) {
  const isSingle = type.kind === 'singleType';
  const of = (params: Params = {}) => callWith(call, type, params);
  const each = (work: (call: WriteCall) => Promise<unknown>) =>
    isSingle
      ? async (params?: Params) => work(of(params))
      : async (documentId: string, params: Params = {}) => {
          if (!documentId) throw new Error(`A document of ${type.uid} needs a documentId`);
          return work(callWith(call, type, params, documentId));
        };
  const actions = PUBLICATION_ACTIONS.map((action) => [
    action,
    each(async (own) => (await changePublication({ ...own, action })).body),
  ]);
  return {
    ...(isSingle
      ? { find: each((own) => readWith(findOne, own)) }
      : {
          find: async (params?: Params) => readWith(find, of(params)),
          findOne: each((own) => readWith(findOne, own)),
          create: async (params: Params) => (await write(written(of(params)), 'create')).body,
        }),
    update: each(async (own) => (await write(written(own), 'update')).body),
    delete: each(remove),
    ...Object.fromEntries(actions),
  };
}

/** @throws Error for a uid that is no content type of the project */
function documentsWith(call: Call) {
  return (uid: string) => {
    const type = call.registry.contentTypes.get(uid);
    if (!type || type.system) throw new Error(`There is no content type "${uid}"`);
    return operations(call, type);
  };
}

/** Returns the documents with the grants of the caller, and those of the system. */
export const documentsOf = (call: Call): Documents<AnyTypes> =>
  Object.assign(documentsWith(call), {
    asSystem: documentsWith({ ...call, credential: CODE }),
  }) as Documents<AnyTypes>;
