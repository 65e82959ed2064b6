/**
 * @module Plans of documents → reads of response bodies.
 */
import { assemble } from '../document/assemble.ts';
import type { Document } from '../document/document.ts';
import { toV4 } from '../document/format-v4.ts';
import { type Body, formatList, formatOne } from '../document/format-v5.ts';
import { notFound } from '../errors.ts';
import type { ReadPlan } from '../plan/model/read-plan.ts';
import { writeCursor } from '../plan/read/cursor.ts';
import { dependenciesOf } from '../plan/read/dependencies.ts';
import { withoutBody } from '../plan/read/plan-read.ts';
import { type Compiled, mapped } from '../sql/compiled.ts';
import { compileRead } from '../sql/read/select.ts';
import type { Row } from '../sql/statement.ts';
import type { ResponseWork, Shown } from './caches.ts';
import type { ContentCall, Format } from './content-call.ts';
import { revisionOf } from './revision.ts';

function shown(rows: readonly Row[], plan: ReadPlan, format: Format): readonly Document[] {
  const documents = assemble(rows, plan);
  return format === 'v4' ? documents.map((document) => toV4(document, plan.selection)) : documents;
}

/** Selects `updatedAt`, of which the revision is made. */
export function withTime(plan: ReadPlan): ReadPlan {
  const { type, selection } = plan;
  const time = type.attributes.get('updatedAt');
  if (time?.kind !== 'scalar' || selection.attributes.includes(time)) return plan;
  return { ...plan, selection: { ...selection, attributes: [...selection.attributes, time] } };
}

/** Its decoding throws ApiError 404 for a document that does not exist. */
export function oneDocument(plan: ReadPlan, format: Format): Compiled<Shown<Body>> {
  const timed = withTime(plan);
  return mapped(compileRead(timed), ({ rows }) => {
    const [document] = assemble(rows, timed);
    if (!document) throw notFound();
    const revision = revisionOf(plan.type, document);
    // Leaves it out of the JSON.
    if (timed !== plan) document.updatedAt = undefined;
    return { body: formatOne(format === 'v4' ? toV4(document, plan.selection) : document), revision };
  });
}

/** The same for a caller who may not see when the document was changed. */
export const oneWithoutRevision = (plan: ReadPlan, format: Format): Compiled<Shown<Body>> =>
  mapped(oneDocument(plan, format), ({ body }) => ({ body }));

export const listOfDocuments = (plan: ReadPlan, format: Format): Compiled<Shown<Body>> =>
  mapped(compileRead(plan), ({ rows, total, next }) => {
    const documents = shown(rows, plan, format);
    const after = plan.cursor && next ? writeCursor(plan.cursor, next) : null;
    return { body: formatList(documents, plan.page, total, after) };
  });

/** HEAD depends on the stamps of all that GET shows, so both have one tag. */
export const responseWork = (
  call: ContentCall,
  plan: ReadPlan,
  bodyOf: (plan: ReadPlan, format: Format) => Compiled<Shown<Body>>,
): ResponseWork => ({
  names: dependenciesOf(plan),
  work: bodyOf(call.bodiless ? withoutBody(plan) : plan, call.format),
});
