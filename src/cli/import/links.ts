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
        const targetUid = declared?.kind === 'relation' ? declared.target : FILE_UID;
        return { uid, attribute, table, source, targetUid };
      }),
    );

/** The links of one attribute. */
export type LinkSet = ReturnType<typeof linkSets>[number];

/** Of the rows of one version one is taken, so their numbers tell versions apart, and are compared faster than texts. */
const NEAR = 'near.type, near.id, far.published';
const FAR = 'far.type, far.id, near.published';

/** Places of one version are told apart where the archive gives one twice; without any, links stand in its order. */
const placeIn = (list: string, position: string): string => `iif(
    ${position} is null,
    ${LINK_STEP} * row_number() over (partition by ${list} order by seq),
    ${LINK_STEP} * ${position} + row_number() over (partition by ${list}, ${position} order by seq) - 1
  )`;

const LINKS = `
  select near.document_id as source, near.locale as sourceLocale, near.published as sourcePublished,
    far.document_id as target, far.locale as targetLocale, far.published as targetPublished, far.type as type,
    ${placeIn(NEAR, 'position')} as position,
    ${placeIn(FAR, 'inverse_position')} as inverse
  from outer_links
    join rows as near on near.type = outer_links.type and near.id = outer_links.source
    join rows as far on far.type = target_type and far.id = outer_links.target
  where outer_links.type = ? and field = ? and near.state = ${ROW.taken} and far.state <> ${ROW.double}
  order by seq`;

type LinkRow = Readonly<Record<string, string | number>>;

/** The version that a link belongs to; undefined where it joins a draft with a published row. */
function statusOf(row: LinkRow, source: ContentType, target: ContentType): 'draft' | 'published' | undefined {
  const near = row.sourcePublished === 1 ? 'published' : 'draft';
  const far = row.targetPublished === 1 ? 'published' : 'draft';
  if (!source.draftAndPublish) return far;
  if (!target.draftAndPublish) return near;
  return near === far ? near : undefined;
}

/** The rows of one link table, each as the JSON of a list in the order of the columns. */
export function* linkRows(set: LinkSet, { survey, types, roles }: Taking): Generator<string> {
  const { uid, attribute, source, targetUid } = set;
  const { staging, remarks } = survey;
  const rolesHere = new Map(roles.map(({ documentId, here }) => [documentId, here.documentId]));
  const far = [...types.values()].find((type) => type.uid === targetUid);
  const rows = staging.prepare(LINKS).iterate(staging.numberOf(uid), staging.numberOf(attribute));
  for (const row of rows as Iterable<LinkRow>) {
    const isRole = targetUid === ROLE_UID;
    const type = types.get(staging.nameOf(Number(row.type)));
    const status = isRole ? 'published' : far && type === far ? statusOf(row, source, far) : undefined;
    const target = isRole ? rolesHere.get(String(row.target)) : row.target;
    if (status === undefined || target === undefined) {
      remarks.note(`${uid}.${attribute}: a link joins rows that cannot be joined here; left out`);
      continue;
    }
    const { sourceLocale, targetLocale, position, inverse } = row;
    yield JSON.stringify([row.source, sourceLocale, target, isRole ? '' : targetLocale, status, position, inverse]);
  }
}

/** The versions of links that the taken rows of a type own, each as the JSON of a list. */
export function* ownedVersions(uid: string, source: ContentType, { prepare, numberOf }: Staging): Generator<string> {
  const rows = prepare(`select document_id, locale, published from rows where type = ? and state = ${ROW.taken}`);
  for (const row of rows.iterate(numberOf(uid))) {
    const own = row.published === 1 ? 'published' : 'draft';
    const statuses = source.draftAndPublish ? [own] : ['draft', 'published'];
    for (const status of statuses) yield JSON.stringify([row.document_id, row.locale, status]);
  }
}
