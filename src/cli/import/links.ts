/**
 * @module Links of the staging area → rows of link tables. A link of the archive joins two rows, so two versions; one here
 * joins two documents in one version.
 */
import type { ContentType } from '../../registry/model.ts';
import { LINK_STEP } from '../../registry/names.ts';
import { FILE_UID, ROLE_UID } from '../../registry/system-types.ts';
import { linkTablesOf } from '../core/sql/type-tables.ts';
import type { TypesByUid } from './resolve-rows.ts';
import { ROW, type Staging } from './staging.ts';
import type { Taking } from './taking.ts';

/** Every owning relation and media attribute whose links the archive may have, always in the same order. */
export const linkSets = (types: TypesByUid) =>
  [...types]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([uid, source]) =>
      [...linkTablesOf(source)].map(([attribute, table]) => {
        const declared = source.attributes.get(attribute);
        const set = { uid, attribute, table, source };
        if (declared?.kind === 'polymorphic') return { ...set, targetUid: undefined };
        return { ...set, targetUid: declared?.kind === 'relation' ? declared.target : FILE_UID };
      }),
    );

/** The links of one attribute. Those of a polymorphic relation name the types of their targets. */
export type LinkSet = ReturnType<typeof linkSets>[number];

/** Of the rows of one version one is taken, so their numbers tell versions apart, and are compared faster than texts. */
const NEAR = 'near.id, far.published';
const FAR = 'far.type, far.id, near.published';
/** Targets of a polymorphic relation, with and without drafts, stand in one list, and links may name either row of one. */
const NEAR_ALL = 'near.id';
const FAR_ALL = 'far.type, far.document_id, far.locale';

/** Places of one version are told apart where the archive gives one twice; without any, links stand in its order. */
function placeIn(list: string, position: string): string {
  const place = `round(${LINK_STEP} * ${position})`;
  return `iif(
    ${position} is null,
    ${LINK_STEP} * row_number() over (partition by ${list} order by links.seq),
    ${place} + row_number() over (partition by ${list}, ${place} order by ${position}, links.seq) - 1
  )`;
}

const linksSql = (near: string, far: string, more = ''): string => `
  select near.document_id as source, near.locale as sourceLocale, near.published as sourcePublished,
    far.document_id as target, far.locale as targetLocale, far.published as targetPublished, far.type as type,
    ${placeIn(near, 'position')} as position,
    ${placeIn(far, 'inverse_position')} as inverse${more}
  from links
    join rows as near on near.type = links.type and near.id = links.source
    join rows as far on far.type = target_type and far.id = links.target
  where links.type = ? and field = ? and near.state = ${ROW.taken} and far.state <> ${ROW.double}`;
const LINKS = `${linksSql(NEAR, FAR)} order by links.seq`;
const PAIR = `partition by ${NEAR_ALL}, ${FAR_ALL}`;
/** Both sides may have written a link. */
const OF_POLYMORPHIC = `, links.seq as seq, row_number() over (${PAIR}, far.id order by links.seq) as copy,
    min(far.published) over (${PAIR}) <> max(far.published) over (${PAIR}) as both`;
const POLYMORPHIC_LINKS = `select * from (
    ${linksSql(NEAR_ALL, `${FAR_ALL}, near.published`, OF_POLYMORPHIC)}
  ) where copy = 1 order by seq`;

type LinkRow = Readonly<Record<string, string | number>>;

/** The version that a link belongs to; undefined where it joins a draft with a published row. */
function statusOf(row: LinkRow, source: ContentType, target: ContentType): 'draft' | 'published' | undefined {
  const near = row.sourcePublished === 1 ? 'published' : 'draft';
  const far = row.targetPublished === 1 ? 'published' : 'draft';
  if (!source.draftAndPublish) return far;
  if (!target.draftAndPublish) return near;
  return near === far ? near : undefined;
}

const STATUSES = `
  select iif(published, 'published', 'draft') as status from rows
  where type = ? and document_id = ? and locale = ? and state <> ${ROW.double}`;

/**
 * The versions that a link belongs to. A polymorphic relation that has one row of a document, whichever Strapi gave it, has
 * each version of that document.
 */
function statusesOf(row: LinkRow, { source, targetUid }: LinkSet, target: ContentType, { prepare }: Staging) {
  const status = statusOf(row, source, target);
  if (targetUid !== undefined && targetUid !== target.uid) return [];
  if (targetUid !== undefined || !target.draftAndPublish || row.both) return status ? [status] : [];
  const statuses = prepare(STATUSES).all(row.type ?? null, row.target ?? null, row.targetLocale ?? null);
  const near = row.sourcePublished === 1 ? 'published' : 'draft';
  return statuses.map((found) => found.status).filter((found) => !source.draftAndPublish || found === near);
}

/** The rows of one link table, each as the JSON of a list in the order of the columns. */
export function* linkRows(set: LinkSet, { survey, types, roles }: Taking): Generator<string> {
  const { uid, attribute, targetUid } = set;
  const { staging, remarks } = survey;
  const rolesHere = new Map(roles.map(({ documentId, here }) => [documentId, here.documentId]));
  const isPolymorphic = targetUid === undefined;
  // With the type in front, SQLite would take the primary key in its place, and read all rows of the type.
  if (isPolymorphic) staging.db.exec('create index if not exists row_documents on rows (document_id)');
  const sql = isPolymorphic ? POLYMORPHIC_LINKS : LINKS;
  const rows = staging.prepare(sql).iterate(uid, attribute);
  for (const row of rows as Iterable<LinkRow>) {
    const isRole = targetUid === ROLE_UID;
    const type = types.get(String(row.type));
    const statuses = isRole ? ['published'] : type ? statusesOf(row, set, type, staging) : [];
    const target = isRole ? rolesHere.get(String(row.target)) : row.target;
    if (statuses.length === 0 || target === undefined)
      remarks.note(`${uid}.${attribute}: a link joins rows that cannot be joined here; left out`);
    else
      for (const status of statuses) {
        const ends = [row.source, row.sourceLocale, target, isRole ? '' : row.targetLocale];
        const typed = isPolymorphic ? [type?.uid] : [];
        yield JSON.stringify([...ends, status, row.position, row.inverse, ...typed]);
      }
  }
}

/** The versions of links that the taken rows of a type own, each as the JSON of a list. */
export function* ownedVersions(uid: string, source: ContentType, { prepare }: Staging): Generator<string> {
  const rows = prepare(`select document_id, locale, published from rows where type = ? and state = ${ROW.taken}`);
  for (const row of rows.iterate(uid)) {
    const own = row.published === 1 ? 'published' : 'draft';
    const statuses = source.draftAndPublish ? [own] : ['draft', 'published'];
    for (const status of statuses) yield JSON.stringify([row.document_id, row.locale, status]);
  }
}
