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
import type { ResponseWork } from './caches.ts';
import type { ContentCall, Format } from './content-call.ts';

function shown(rows: readonly Row[], plan: ReadPlan, format: Format): readonly Document[] {
  const documents = assemble(rows, plan);
  return format === 'v4' ? documents.map((document) => toV4(document, plan.selection)) : documents;
}

/** Its decoding throws ApiError 404 for a document that does not exist. */
export const oneDocument = (plan: ReadPlan, format: Format): Compiled<Body> =>
  mapped(compileRead(plan), ({ rows }) => {
    const [document] = shown(rows, plan, format);
    if (!document) throw notFound();
    return formatOne(document);
  });

export const listOfDocuments = (plan: ReadPlan, format: Format): Compiled<Body> =>
  mapped(compileRead(plan), ({ rows, total, next }) => {
    const documents = shown(rows, plan, format);
    return formatList(documents, plan.page, total, plan.cursor && next ? writeCursor(plan.cursor, next) : null);
  });

/** HEAD depends on the stamps of all that GET shows, so both have one tag. */
export const responseWork = (
  call: ContentCall,
  plan: ReadPlan,
  bodyOf: (plan: ReadPlan, format: Format) => Compiled<Body>,
): ResponseWork => ({
  names: dependenciesOf(plan),
  work: bodyOf(call.bodiless ? withoutBody(plan) : plan, call.format),
});
