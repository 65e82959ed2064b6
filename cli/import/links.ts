/**
 * @module Links of the staging area → rows of link tables. A link of the archive joins two rows, so two versions; one here
 * joins two documents in one version.
 */
import { isPolymorphic, isRelation } from '../../src/schema/attribute-kinds.ts';
import { LINK_STEP } from '../../src/schema/names.ts';
import { FILE_UID, ROLE_UID } from '../../src/schema/system-types.ts';
import { linkTablesOf } from '../core/sql/type-tables.ts';
import type { TypesByUid } from './resolve-rows.ts';
import type { Survey } from './survey.ts';

/** Every owning relation and media attribute whose links the archive may have, always in the same order. */
export const linkSets = (types: TypesByUid) =>
  [...types]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([uid, source]) =>
      [...linkTablesOf(source)].map(([attribute, table]) => {
        const declared = source.attributes.get(attribute);
        const set = { uid, attribute, table, source };
        if (isPolymorphic(declared)) return { ...set, targetUid: undefined };
        return { ...set, targetUid: isRelation(declared) ? declared.target : FILE_UID };
      }),
    );

/** The links of one attribute. Those of a polymorphic relation name the types of their targets. */
type LinkSet = ReturnType<typeof linkSets>[number];

/** One row of each version is imported, so ids identify versions; they compare faster than texts. */
const NEAR = 'near.id, far.published';
const FAR = 'far.type, far.id, near.published';
/** Targets of a polymorphic relation, with and without drafts, stand in one list, and links may name either row of one. */
const NEAR_ALL = 'near.id';
const FAR_ALL = 'far.type, far.document_id, far.locale';

/** Positions that the archive gives twice are made distinct; without positions, links keep the order of the archive. */
function placeIn(list: string, position: string): string {
  const place = `round(${LINK_STEP} * ${position})`;
  return `iif(
    ${position} is null,
    ${LINK_STEP} * row_number() over (partition by ${list} order by links.seq),
    ${place} + row_number() over (partition by ${list}, ${place} order by ${position}, links.seq) - 1
  )`;
}

/** The versions that a link belongs to: 0 for the draft, 1 for the published one. None where it joins the two. */
const VERSIONS = `case
    when not near.has_drafts then far.published
    when not far.has_drafts or near.published = far.published then near.published
    else ''
  end`;
/** A polymorphic relation that has one row of a document, whichever Strapi gave it, has each version of that document. */
const ALL_VERSIONS = `case
    when both or not far_has_drafts then versions
    else (
      select group_concat(published, '') from rows
      where type = far_type and document_id = target and locale = target_locale and not is_double
        and (not near_has_drafts or published = near_published)
    )
  end`;

/** @param here what the type has to be here that holds a target. */
const linksSql = (near: string, far: string, here: string, more = ''): string => `
  select near.document_id as source, near.locale as source_locale, far.document_id as target,
    far.locale as target_locale, far.here as target_type, iif(far.here ${here}, ${VERSIONS}, '') as versions,
    ${placeIn(near, 'position')} as position,
    ${placeIn(far, 'inverse_position')} as inverse${more}
  from links
    join rows as near on near.type = links.type and near.id = links.source
    join rows as far on far.type = links.target_type and far.id = links.target
  where links.type = ? and field = ? and not near.is_double and not far.is_double`;
const LINKS = `${linksSql(NEAR, FAR, '= ?')} order by links.seq`;
const PAIR = `partition by ${NEAR_ALL}, ${FAR_ALL}`;
const OF_POLYMORPHIC = `, links.seq as seq,
    min(far.published) over (${PAIR}) <> max(far.published) over (${PAIR}) as both, far.type as far_type,
    far.has_drafts as far_has_drafts, near.has_drafts as near_has_drafts, near.published as near_published`;
const POLYMORPHIC_LINKS = `
  select source, source_locale, target, target_locale, target_type, ${ALL_VERSIONS} as versions, position, inverse
  from (${linksSql(NEAR_ALL, `${FAR_ALL}, near.published`, `<> '${ROLE_UID}'`, OF_POLYMORPHIC)})
  order by seq`;

type LinkRow = Readonly<Record<string, string | number>>;

/** The rows of one link table, each as the JSON of a list in the order of the columns. */
export function* linkRows(
  { uid, attribute, targetUid }: LinkSet,
  { staging, leftOut, added }: Survey,
): Generator<string> {
  // With the type as first column, SQLite would use the primary key instead and read all rows of the type.
  if (!targetUid) staging.db.exec('create index if not exists row_documents on rows (document_id)');
  const rows = targetUid
    ? staging.prepare(LINKS).iterate(targetUid, uid, attribute)
    : staging.prepare(POLYMORPHIC_LINKS).iterate(uid, attribute);
  for (const row of rows as Iterable<LinkRow>) {
    const versions = String(row.versions ?? '');
    if (versions === '') leftOut.add(`${uid}.${attribute}: between versions that no link joins here`, { links: 1 });
    else added.add(`${uid}.${attribute}: to the other version of a linked document`, { links: versions.length - 1 });
    const ends = [row.source, row.source_locale, row.target, row.target_locale];
    const typed = targetUid ? [] : [row.target_type];
    for (const published of versions)
      yield JSON.stringify([...ends, published === '1' ? 'published' : 'draft', row.position, row.inverse, ...typed]);
  }
}
