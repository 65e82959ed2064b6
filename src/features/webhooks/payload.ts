/**
 * @module The body of a message, as Strapi's webhooks send it.
 */
import { EVERYTHING } from '../../access/grants.ts';
import { ApiError, toErrorBody } from '../../common/errors.ts';
import { readList, readObject } from '../../common/json.ts';
import { assemble, assembleRow } from '../../content/document/assemble.ts';
import type { Document } from '../../content/document/document.ts';
import { shownScalars } from '../../content/plan/read/fields.ts';
import { scopeOf } from '../../content/plan/read/name-scope.ts';
import { planOne } from '../../content/plan/read/plan-read.ts';
import { parseQueryParams } from '../../content/request/query-params.ts';
import type { RawQuery } from '../../content/request/query-string.ts';
import type { Call } from '../../content/runtime/call.ts';
import { compileRead } from '../../content/sql/read/select.ts';
import { fenced } from '../../content/sql/stamps.ts';
import { namedDocument } from '../../schema/document-ref.ts';
import type { ContentType } from '../../schema/model.ts';
import { PRIVATE_SUFFIX } from '../../schema/names.ts';
import { FILE_UID } from '../../schema/system-types.ts';
import { populateAll } from './populate-all.ts';
import type { ClaimedMessage } from './sql/deliveries.ts';

export type PayloadCall = Pick<Call, 'registry' | 'settings' | 'database'>;

/** The schema alone bounds what is populated. */
const UNBOUNDED = { populateNodes: 10_000, populateDepth: 100, populateLists: 100 };

async function readVersion(
  call: PayloadCall,
  type: ContentType,
  message: ClaimedMessage,
  populate: RawQuery | 'true',
): Promise<Document | undefined> {
  const { registry, database, settings } = call;
  const { rest } = settings.api;
  const limits = { ...rest.limits, ...UNBOUNDED };
  const own = { ...settings, api: { ...settings.api, rest: { ...rest, limits } } };
  const raw = {
    ...(populate !== 'true' && { populate }),
    locale: message.locale,
    ...(type.draftAndPublish && { status: message.event === 'entry.publish' ? 'published' : 'draft' }),
  };
  const plan = planOne(parseQueryParams(raw, 'one', own), type, namedDocument(message.documentId), {
    registry,
    settings: own,
    grants: EVERYTHING,
  });
  const read = fenced(registry.fences, compileRead(plan));
  const { rows } = read.decode(await database.read(read.statements, 'primary'));
  return assemble(rows, plan)[0];
}

/**
 * Reads the version that an event is about as it is now: without relations if it is too large with them. Undefined if it
 * is gone, or too large without them.
 */
async function currentVersion(
  call: PayloadCall,
  type: ContentType,
  message: ClaimedMessage,
): Promise<Document | undefined> {
  const all = type.uid === FILE_UID ? 'true' : populateAll(type.attributes, call.registry);
  for (const populate of [all, 'true'] as const) {
    try {
      return await readVersion(call, type, message, populate);
    } catch (failure) {
      // No later attempt would succeed, and messages of the document wait for this one.
      if (!(failure instanceof ApiError) || toErrorBody(failure.problem).error.status >= 500) throw failure;
    }
  }
  return undefined;
}

/** Returns the stored values of a row that is gone, without relations. */
function storedVersion(entry: string, type: ContentType): Document {
  const row = Object.assign({}, ...readList(entry).map(readObject));
  return assembleRow(row, { attributes: shownScalars(scopeOf(type)), populate: [] });
}

/** @throws Error for a content type that is no longer there */
export async function payloadOf(call: PayloadCall, message: ClaimedMessage): Promise<string> {
  const { event, documentId, locale, entry } = message;
  const head = { event, createdAt: new Date(message.createdAt) };
  if (message.type === '') return JSON.stringify(head);
  const type = call.registry.contentTypes.get(message.type);
  if (!type) throw new Error(`There is no content type ${message.type} any more`);
  const shown = entry === null ? await currentVersion(call, type, message) : storedVersion(entry, type);
  const value = shown ?? { documentId, ...(locale !== '' && { locale }) };
  // Its address is not signed: messages stay in the logs of others.
  const secret = String(shown?.hash).endsWith(PRIVATE_SUFFIX) && { private: true };
  if (type.uid === FILE_UID) return JSON.stringify({ ...head, media: { ...value, ...secret } });
  return JSON.stringify({ ...head, model: type.singularName, uid: type.uid, entry: value });
}
