/**
 * @module What the rows and links of the staging area come to under the content types that are there: versions, doubles,
 * and links that lead nowhere.
 */

import { LOCALE_UID, PERMISSION_UID } from '../../src/features/description/plugin-schemas.ts';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import { FILE_UID, FOLDER_UID, ROLE_UID } from '../../src/schema/system-types.ts';
import type { ContentCounts } from '../core/content-counts.ts';
import { archivedTypes, linkTablesOf } from '../core/sql/type-tables.ts';
import type { PlacedRole } from './archive-settings.ts';
import { renamedTypes, unfitRelations } from './archive-types.ts';
import { isComponent, type Staging } from './staging.ts';
import type { Survey } from './survey.ts';

/** uid in the archive → the type that holds its rows here. */
export type TypesByUid = ReadonlyMap<string, ContentType>;

/** Where the content of a type goes that has no place here, as far as that is known. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'plugin::review-workflows.workflow': 'review workflows belong to the admin panel',
  'plugin::review-workflows.workflow-stage': 'stages of review workflows belong to the admin panel',
  'plugin::content-releases.release': 'releases belong to the admin panel: publish by a job of your own',
  'plugin::content-releases.release-action': 'releases belong to the admin panel: publish by a job of your own',
};

const SETTING_TYPES = new Set([LOCALE_UID, PERMISSION_UID, ROLE_UID]);

/** How an archive has the content of settings. */
const IN_SETTINGS = 'locales, roles and permissions, which are settings here';

/** Leaves out what is of a type without a place here. */
function leaveOutType({ leftOut }: Survey, uid: string, counts: Partial<ContentCounts>): void {
  if (SETTING_TYPES.has(uid)) leftOut.addUnneeded(IN_SETTINGS, counts);
  else leftOut.add(`${uid}: ${ELSEWHERE[uid] ?? 'there is no such content type here'}`, counts);
}

type CountRow = Readonly<
  Record<'type' | 'field' | 'fate', string> & Record<'documents' | 'versions' | 'links', number>
>;

const countsOf = ({ prepare }: Staging, sql: string) => prepare(sql).all() as unknown as readonly CountRow[];

const ROW_COUNTS = 'select type, count(distinct document_id) as documents, count(*) as versions from rows';

/** Rows without a type here. */
function leaveOutRows(survey: Survey): void {
  const sql = `${ROW_COUNTS} where here is null group by type`;
  for (const { type, documents, versions } of countsOf(survey.staging, sql))
    leaveOutType(survey, type, { documents, versions });
}

/** A type without drafts has published rows alone, and one without locales none. */
function placeRows({ staging, schemas }: Survey, registry: Registry, defaultLocale: string): TypesByUid {
  const known = new Map(archivedTypes(registry).map((type) => [type.uid, type]));
  const renamed = renamedTypes(schemas);
  const types = new Map<string, ContentType>();
  const place = staging.prepare(`
    update rows set here = ?, has_drafts = ?, published = max(published, ?), locale = iif(?, ifnull(nullif(locale, ''), ?), '')
    where type = ?`);
  for (const { type } of staging.prepare('select distinct type from rows').all()) {
    const uid = String(type);
    const here = known.get(renamed.get(uid) ?? uid);
    if (!here) continue;
    const drafts = Number(here.draftAndPublish);
    place.run(here.uid, drafts, 1 - drafts, Number(here.localized), defaultLocale, uid);
    types.set(uid, here);
  }
  return types;
}

/** Users link to the roles of the settings. */
function placeRoles({ prepare }: Staging, roles: readonly PlacedRole[]): void {
  const place = prepare(
    "update rows set here = type, document_id = ?, locale = '', published = 1 where type = ? and document_id = ?",
  );
  for (const { documentId, here } of roles) place.run(here.documentId, ROLE_UID, documentId);
}

/** Of two rows of one version, keeps the first, which is the one that Strapi shows. */
function markDoubles({ staging, leftOut }: Survey): void {
  staging.db.exec(`
    update rows set is_double = 1 where seq in (
      select seq from (
        select seq, row_number() over (partition by type, document_id, locale, published order by id) as place
        from rows where here is not null
      ) where place > 1
    )`);
  for (const { type, versions } of countsOf(staging, `${ROW_COUNTS} where is_double group by type`))
    leftOut.add(`${type}: rows of a document, locale and status that another row has`, { versions });
}

/** Components are no rows. */
const FATES = `
  select links.type, field, count(*) as links, case
    when far.id is null or (near.id is null and links.type like '%::%') then 'dangling'
    when near.is_double or far.is_double then 'double' else '' end as fate
  from links
    left join rows as near on near.type = links.type and near.id = source
    left join rows as far on far.type = target_type and far.id = target
  group by links.type, field, fate`;

/** Links that no row or component of the import can have. */
function leaveOutLinks(survey: Survey, types: TypesByUid): void {
  const { staging, leftOut } = survey;
  for (const { type, field, fate, links } of countsOf(staging, FATES)) {
    const here = types.get(type);
    const name = `${type}.${field || '(unnamed)'}`;
    if (!here && !isComponent(type)) leaveOutType(survey, type, { links });
    else if ((type === FILE_UID && field === 'folder') || type === FOLDER_UID)
      leftOut.addUnneeded('of folders, whose paths say the same', { links });
    else if (here && !linkTablesOf(here).has(field)) leftOut.add(`${name}: a relation that is not there`, { links });
    else if (fate === 'dangling') leftOut.add(`${name}: to or from a row that the archive lacks`, { links });
    else if (fate === 'double') leftOut.add(`${name}: to or from a row that is left out`, { links });
  }
}

/** Of equal links, which both sides of a relation may have written, keeps the first. */
function dropEqualLinks({ staging: { prepare }, leftOut }: Survey): void {
  const { changes } = prepare(`
    delete from links where seq in (
      select seq from (
        select seq, row_number() over (partition by type, field, source, target_type, target order by seq) as copy
        from links
      ) where copy > 1
    )`).run();
  leftOut.addUnneeded('that the archive has twice', { links: Number(changes) });
}

/** Links of relations that have no place here. */
function dropUnfitLinks({ staging: { prepare }, schemas, leftOut }: Survey): void {
  for (const [uid, name] of unfitRelations(schemas)) {
    const { changes } = prepare('delete from links where type = ? and field = ?').run(uid, name);
    leftOut.add(`${uid}.${name}: a relation that is not there`, { links: Number(changes) });
  }
}

/** Makes the links of a `morphOne` or `morphMany` of a component, which the archive has at their other side, its own. */
function invertComponentLinks({ staging: { prepare }, schemas }: Survey): void {
  const relations = schemas.flatMap(({ uid, attributes }) =>
    Object.entries(attributes)
      .filter(([, { morphBy }]) => isComponent(uid) && typeof morphBy === 'string')
      .map(([name, { target, morphBy }]) => ({ name, side: [String(target), String(morphBy), uid] })),
  );
  const isOfSide = 'type = ? and field = ? and target_type = ?';
  const insert = prepare(
    `insert into links (type, field, source, target_type, target) select target_type, ?, target, type, source from links where ${isOfSide} order by seq`,
  );
  for (const { name, side } of relations) insert.run(name, ...side);
  for (const { side } of relations) prepare(`delete from links where ${isOfSide}`).run(...side);
}

/** Makes the staging area ready to be read from, under the content types and roles here. Counts what is left out. */
export function resolveRows(
  survey: Survey,
  registry: Registry,
  roles: readonly PlacedRole[],
  defaultLocale: string,
): TypesByUid {
  const { staging } = survey;
  staging.db.exec('commit');
  staging.db.exec('create index link_sources on links (type, field, source)');
  staging.db.exec('begin');
  const types = placeRows(survey, registry, defaultLocale);
  leaveOutRows(survey);
  placeRoles(staging, roles);
  dropUnfitLinks(survey);
  invertComponentLinks(survey);
  dropEqualLinks(survey);
  markDoubles(survey);
  leaveOutLinks(survey, types);
  return types;
}
