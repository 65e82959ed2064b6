/**
 * @module Writes of dossiers, with two relations and a dynamic zone: one batch each, read back at its end.
 */
import { LINK_STEP } from '../../src/schema/names.ts';
import { DOSSIER, type DossierRow, dossierOf, type SectionInput, storedSections } from './dossier.ts';
import { dataOf, type Input, newDocumentId, plain, type Stored } from './input.ts';
import { copyLinks, insertDraft, publishAgain, publishNew, RANDOM_ID, updateDraft, versionsOf } from './versions.ts';
import { json, refuse, tokenAssertion, type Visit } from './visit.ts';

const SCALARS: Stored = { title: ['title', plain], slug: ['slug', plain], intro: ['intro', plain] };
const ATTRIBUTES = [...Object.keys(SCALARS), 'editor', 'tags', 'sections'];

const dossiers = versionsOf({
  uid: 'api::dossier.dossier',
  table: 'dossiers',
  stored: { ...SCALARS, sections: ['sections', plain] },
  components: {
    sections: `(select json_group_array(json_set("value", '$.id', ${RANDOM_ID}) order by "key") from json_each("sections"))`,
  },
  links: ['dossiers_editor_lnk', 'dossiers_tags_lnk'],
});

const isMissing = (list: string, table: string, published: 'is null' | 'is not null'): string =>
  `exists (select 1 from json_each(${list}) as "wanted" where not exists (select 1 from "${table}" where "document_id" = "wanted"."value" and "published_at" ${published}))`;

/** Aborts the batch unless every document that is named is there. */
const TARGETS = `select iif(${isMissing('?1', 'authors', 'is null')} or ${isMissing('?2', 'tags', 'is not null')} or ${isMissing('?3', 'files', 'is not null')}, json_extract('{}', 'TARGET'), 1)`;

/** Links of the draft; each comes last among the links of its target. */
const linkTo = (table: string): string =>
  `insert or ignore into "${table}" ("source_document_id", "target_document_id", "status", "position", "inverse_position") select ?1, "value", 'draft', ("key" + 1) * ${LINK_STEP}, coalesce((select max("last"."inverse_position") from "${table}" as "last" where "last"."target_document_id" = "value" and "last"."status" = 'draft'), 0) + ${LINK_STEP} from json_each(?2)`;

interface Linked {
  readonly editor: readonly unknown[];
  readonly tags: readonly unknown[];
  readonly images: readonly unknown[];
}

function linkedOf({ editor, tags = [] }: Input, sections: readonly SectionInput[]): Linked {
  const images = sections.flatMap(({ image }) => (image ? [image] : []));
  return { editor: editor ? [editor] : [], tags: tags as readonly unknown[], images };
}

function linkStatements(db: D1Database, documentId: string, linked: Linked): readonly D1PreparedStatement[] {
  const [editor, tags, images] = [linked.editor, linked.tags, linked.images].map((list) => JSON.stringify(list));
  return [
    db.prepare(TARGETS).bind(editor, tags, images),
    db.prepare(linkTo('dossiers_editor_lnk')).bind(documentId, editor),
    db.prepare(linkTo('dossiers_tags_lnk')).bind(documentId, tags),
  ];
}

const dossierAtEnd = (results: readonly D1Result[]) => dossierOf(results.at(-1)?.results[0] as DossierRow);

export async function createDossier(visit: Visit): Promise<Response> {
  const { db, request } = visit;
  const data = await dataOf(request, ATTRIBUTES);
  if (typeof data?.title !== 'string' || typeof data.slug !== 'string')
    return refuse(400, 'title and slug are required');
  const sections = (data.sections ?? []) as readonly SectionInput[];
  const stored = storedSections(sections);
  if (stored === undefined) return refuse(400, 'sections are not valid');
  const documentId = newDocumentId();
  const now = Date.now();
  const results = await db.batch([
    tokenAssertion(visit, now),
    insertDraft(db, dossiers, documentId, { ...data, sections: stored }, now),
    ...linkStatements(db, documentId, linkedOf(data, sections)),
    ...publishNew(db, dossiers, documentId, now),
    ...copyLinks(db, dossiers, documentId),
    db.prepare(DOSSIER).bind(documentId),
  ]);
  const { id: _, ...dossier } = dossierAtEnd(results);
  return json({ data: dossier, meta: {} });
}

/** Of scalars alone: relations and sections stay as they are. */
export async function updateDossier(visit: Visit): Promise<Response> {
  const { db, request, url } = visit;
  const data = await dataOf(request, Object.keys(SCALARS));
  if (!data) return refuse(400, 'Missing "data" payload in the request body');
  const documentId = url.pathname.slice('/api/dossiers/'.length);
  const now = Date.now();
  const results = await db.batch([
    tokenAssertion(visit, now),
    ...updateDraft(db, dossiers, documentId, data, now),
    ...publishAgain(db, dossiers, documentId, now),
    db.prepare(DOSSIER).bind(documentId),
  ]);
  return json({ data: dossierAtEnd(results), meta: {} });
}
