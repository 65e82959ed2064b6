/**
 * @module What the rows and links of the staging area come to under the content types that are there: versions, doubles,
 * and links that lead nowhere.
 */
import type { ContentType, Registry } from '../../src/registry/model.ts';
import { FOLDER_UID, LOCALE_UID, PERMISSION_UID } from '../../src/registry/plugin-schemas.ts';
import { FILE_UID, ROLE_UID, USER_UID } from '../../src/registry/system-types.ts';
import { counted } from '../core/counted.ts';
import { archivedTypes, linkTablesOf } from '../core/sql/type-tables.ts';
import { renamedTypes, unfitRelations } from './archive-types.ts';
import type { PlacedRole } from './settings-of.ts';
import { isComponent, type Staging } from './staging.ts';
import type { Survey } from './survey.ts';

/** uid in the archive → the type that holds its rows here. */
export type TypesByUid = ReadonlyMap<string, ContentType>;

/** Where the content of a type goes that has no place here, as far as that is known. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  [FOLDER_UID]: 'folders of the media library: files keep their path; folders belong to the admin panel',
  'plugin::review-workflows.workflow': 'review workflows belong to the admin panel',
  'plugin::review-workflows.workflow-stage': 'stages of review workflows belong to the admin panel',
  'plugin::content-releases.release': 'releases belong to the admin panel: publish by a job of your own',
  'plugin::content-releases.release-action': 'releases belong to the admin panel: publish by a job of your own',
};

const SETTINGS = new Set([LOCALE_UID, PERMISSION_UID, ROLE_UID]);

interface Counted {
  readonly type: string;
  readonly field: string;
  readonly count: number;
}

const countsOf = ({ prepare }: Staging, sql: string) => prepare(sql).all() as unknown as readonly Counted[];

function noteLeftOut({ staging, warnings }: Survey): void {
  const leftOut = 'select type, count(*) as count from rows where here is null group by type';
  for (const { type: uid, count } of countsOf(staging, leftOut))
    if (!SETTINGS.has(uid))
      warnings.add(
        `${uid}: ${counted(count, 'row')} not taken; ${ELSEWHERE[uid] ?? 'there is no such content type here'}`,
      );
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
function markDoubles({ staging, warnings }: Survey): void {
  staging.db.exec(`
    update rows set is_double = 1 where seq in (
      select seq from (
        select seq, row_number() over (partition by type, document_id, locale, published order by id) as place
        from rows where here is not null
      ) where place > 1
    )`);
  const doubles = `select type, count(*) as count from rows where is_double group by type`;
  for (const { type, count } of countsOf(staging, doubles))
    warnings.add(`${type}: a second row of the same document, locale and status; the first one was taken`, count);
}

/** Components are no rows. */
const DANGLING = `
  select links.type, field, count(*) as count
  from links
    left join rows as near on near.type = links.type and near.id = source
    left join rows as far on far.type = target_type and far.id = target
  where far.id is null or (near.id is null and links.type like '%::%')
  group by 1, 2`;
const OF_FIELDS = 'select type, field, count(*) as count from links group by 1, 2';

const QUIET: ReadonlySet<string> = new Set([
  `${PERMISSION_UID} role`,
  `${USER_UID} role`,
  `${FILE_UID} folder`,
  `${FOLDER_UID} parent`,
]);

function noteLinks({ staging, warnings }: Survey, types: TypesByUid): void {
  for (const { type, field, count } of countsOf(staging, DANGLING))
    if (types.has(type) || isComponent(type))
      warnings.add(
        `${type}.${field}: a link ${isComponent(type) ? 'to' : 'to or from'} a row that the archive lacks; left out`,
        count,
      );
  for (const { type, field, count } of countsOf(staging, OF_FIELDS)) {
    const here = types.get(type);
    if ((here && linkTablesOf(here).has(field)) || isComponent(type) || QUIET.has(`${type} ${field}`)) continue;
    const links = counted(count, 'link');
    warnings.add(`${type}.${field || '(unnamed)'}: ${links} of a relation that is not there; left out`);
  }
}

/** Links of relations that have no place here; a warning about the relation counts them. */
function dropUnfitLinks({ staging: { prepare }, schemas }: Survey): void {
  for (const [uid, name] of unfitRelations(schemas))
    prepare('delete from links where type = ? and field = ?').run(uid, name);
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

/** Makes the staging area ready to be read from, under the content types and roles that there are here. */
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
  placeRoles(staging, roles);
  noteLeftOut(survey);
  dropUnfitLinks(survey);
  invertComponentLinks(survey);
  markDoubles(survey);
  noteLinks(survey, types);
  return types;
}
