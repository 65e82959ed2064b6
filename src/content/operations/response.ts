/**
 * @module Plans of documents → reads of response bodies.
 */

import { ApiError, notFound } from '../../common/errors.ts';
import type { JsonObject } from '../../common/json.ts';
import { isScalar } from '../../schema/attribute-kinds.ts';
import { assemble } from '../document/assemble.ts';
import type { Document } from '../document/document.ts';
import { toV4 } from '../document/format-v4.ts';
import { type Body, formatList, formatOne } from '../document/format-v5.ts';
import { highlighterOf } from '../document/highlights.ts';
import type { Highlights, ReadPlan } from '../plan/model/read-plan.ts';
import { writeCursor } from '../plan/read/cursor.ts';
import { dependenciesOf } from '../plan/read/dependencies.ts';
import { withoutBody } from '../plan/read/plan-read.ts';
import { type Authorized, addressesOf, type Call } from '../runtime/call.ts';
import type { ContentCall } from '../runtime/content-call.ts';
import { withGrantedSourceMaps } from '../runtime/granted-source-maps.ts';
import { revisionOf } from '../runtime/if-match.ts';
import type { ResponseWork, ShownBody } from '../runtime/response-work.ts';
import { type Compiled, mapped } from '../sql/compiled.ts';
import { compileRead } from '../sql/read/select.ts';
import type { Row } from '../sql/statement.ts';

/** Returns documents with signed addresses of private files. @throws ApiError 400 when they are too large together. */
export function shownDocuments(
  rows: readonly Row[],
  plan: ReadPlan,
  call: Pick<Call, 'features' | 'settings' | 'secret'>,
): readonly Document[] {
  const documents = assemble(rows, plan);
  const sign = addressesOf(call)?.signer(plan, call);
  if (sign) for (const document of documents) sign(document);
  return documents;
}

/** Returns a function to call with each document of one response. */
type Formatter = (plan: ReadPlan) => (document: Document) => Document;

function unsigned({ format, features, settings }: ContentCall): Formatter {
  if (format === 'v5') return () => (document) => document;
  if (format === 'v4')
    return ({ selection }) =>
      (document) =>
        toV4(document, selection);
  const mapper = features.find(({ sourceMapper }) => sourceMapper)?.sourceMapper;
  return (plan) => mapper?.(plan, settings) ?? ((document) => document);
}

/** Signs the addresses of private files, then formats. */
function formatterOf(call: ContentCall): Formatter {
  const formatter = unsigned(call);
  const addresses = addressesOf(call);
  if (!addresses) return formatter;
  const { settings, secret } = call;
  return (plan) => {
    const sign = addresses.signer(plan, { settings, secret });
    const format = formatter(plan);
    return (document) => {
      sign?.(document);
      return format(document);
    };
  };
}

/** Selects `updatedAt`, of which the revision is made. */
export function withTime(plan: ReadPlan): ReadPlan {
  const { type, selection } = plan;
  const time = type.attributes.get('updatedAt');
  if (!isScalar(time) || selection.attributes.includes(time)) return plan;
  return { ...plan, selection: { ...selection, attributes: [...selection.attributes, time] } };
}

/** Returns what `meta` says of the plan. */
const metaOf = ({ selection: { populated } }: ReadPlan): JsonObject => (populated ? { populated } : {});

/** Its decoding throws ApiError 404 unless the plan finds rows of one document, of which it shows the first. */
export function oneDocument(plan: ReadPlan, formatter: Formatter): Compiled<ShownBody<Body>> {
  const timed = withTime(plan);
  return mapped(compileRead(timed), ({ rows }) => {
    const [document, ...others] = assemble(rows, timed);
    if (!document || others.some(({ documentId }) => documentId !== document.documentId)) throw notFound();
    const revision = revisionOf(plan.type, document);
    // Leaves it out of the JSON.
    if (timed !== plan) document.updatedAt = undefined;
    return { body: formatOne(formatter(plan)(document), metaOf(plan)), revision };
  });
}

/** The same for a caller who may not see when the document was changed. */
export const oneWithoutRevision = (plan: ReadPlan, formatter: Formatter): Compiled<ShownBody<Body>> =>
  mapped(oneDocument(plan, formatter), ({ body }) => ({ body }));

/** The same after a write, which was committed: if its document is too large with source maps, it has none. */
export const oneWritten = (plan: ReadPlan, formatter: Formatter): Compiled<ShownBody<Body>> =>
  oneDocument(plan, (own) => (document) => {
    try {
      return formatter(own)(document);
    } catch (error) {
      if (error instanceof ApiError) return document;
      throw error;
    }
  });

/** Returns the highlights of documents, and leaves what only they need out of the JSON. */
function takeHighlights({ search, added }: Highlights, documents: readonly Document[]): readonly JsonObject[] {
  const highlights = documents.map(highlighterOf(search));
  for (const document of documents) for (const { name } of added) document[name] = undefined;
  return highlights;
}

export const listOfDocuments = (plan: ReadPlan, formatter: Formatter): Compiled<ShownBody<Body>> =>
  mapped(compileRead(plan), ({ rows, total, next, facets }) => {
    const found = assemble(rows, plan);
    const highlights = plan.highlights && takeHighlights(plan.highlights, found);
    const documents = found.map(formatter(plan));
    const after = plan.cursor && next ? writeCursor(plan.cursor, next) : null;
    const more = { ...metaOf(plan), ...(facets && { facets }), ...(highlights && { highlights }) };
    return { body: formatList(documents, plan.page, total, after, more) };
  });

/**
 * HEAD depends on the stamps of all that GET shows, so both have one tag: its body is left out after planning. Source maps
 * are left out for a caller without the right to them.
 */
export const responseWork = (
  call: ContentCall,
  caller: Authorized,
  plan: ReadPlan,
  bodyOf: (plan: ReadPlan, formatter: Formatter) => Compiled<ShownBody<Body>>,
): ResponseWork => ({
  names: dependenciesOf(plan),
  work: bodyOf(call.bodiless ? withoutBody(plan) : plan, formatterOf(withGrantedSourceMaps(call, caller))),
});
