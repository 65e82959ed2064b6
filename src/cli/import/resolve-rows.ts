/**
 * @module What the rows and links of the staging area come to under the content types that are there: versions, doubles,
 * and links that lead nowhere.
 */
import type { ContentType, Registry } from '../../registry/model.ts';
import { FOLDER_UID, LOCALE_UID, PERMISSION_UID } from '../../registry/plugin-schemas.ts';
import { FILE_UID, ROLE_UID, USER_UID } from '../../registry/system-types.ts';
import { counted } from '../core/counted.ts';
import { archivedTypes, linkTablesOf } from '../core/sql/type-tables.ts';
import { unfitRelations } from './archive-types.ts';
import { isComponent, ROW, type Staging } from './staging.ts';
import type { Survey } from './survey.ts';

/** uid in the archive → the type that holds its rows here. */
export type TypesByUid = ReadonlyMap<string, ContentType>;

/** @param renamed uid in the archive → uid here. */
export function typesOf({ rows }: Survey, registry: Registry, renamed: ReadonlyMap<string, string>): TypesByUid {
  const known = new Map(archivedTypes(registry).map((type) => [type.uid, type]));
  const entries = [...rows.keys()].map((uid) => [uid, known.get(renamed.get(uid) ?? uid)] as const);
  return new Map(entries.flatMap(([uid, type]) => (type ? [[uid, type] as const] : [])));
}

/** Where the content of a type goes that has no place here, as far as that is known. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  [FOLDER_UID]: 'folders of the media library: files keep their path; folders belong to the admin panel',
  'plugin::review-workflows.workflow': 'review workflows belong to the admin panel',
  'plugin::review-workflows.workflow-stage': 'stages of review workflows belong to the admin panel',
  'plugin::content-releases.release': 'releases belong to the admin panel: publish by a job of your own',
  'plugin::content-releases.release-action': 'releases belong to the admin panel: publish by a job of your own',
};

const SETTINGS = new Set([LOCALE_UID, PERMISSION_UID, ROLE_UID]);

export function noteLeftOut({ rows, remarks }: Survey, types: TypesByUid): void {
  for (const [uid, count] of rows)
    if (count > 0 && !types.has(uid) && !SETTINGS.has(uid))
      remarks.note(
        `${uid}: ${counted(count, 'row')} not taken; ${ELSEWHERE[uid] ?? 'there is no such content type here'}`,
      );
}

/** A type without drafts has published rows alone, and one without locales none. */
function normaliseVersions({ prepare, numberOf }: Staging, types: TypesByUid, defaultLocale: string): void {
  for (const [uid, { draftAndPublish, localized }] of types) {
    const type = numberOf(uid);
    if (!draftAndPublish) prepare('update rows set published = 1 where type = ? and published = 0').run(type);
    if (localized) prepare("update rows set locale = ? where type = ? and locale = ''").run(defaultLocale, type);
    else prepare("update rows set locale = '' where type = ? and locale <> ''").run(type);
  }
}

/** Of two rows of one version the first is taken, which is the one that the reference shows. */
function markDoubles({ staging: { db, prepare, nameOf }, remarks }: Survey, types: TypesByUid): void {
  db.exec(`
    update rows set state = ${ROW.double} where (type, id) in (
      select type, id from (
        select type, id, row_number() over (partition by type, document_id, locale, published order by id) as place
        from rows where state = ${ROW.taken}
      ) where place > 1
    )`);
  const counts = prepare(`select type, count(*) as count from rows where state = ${ROW.double} group by type`).all();
  for (const { type, count } of counts) {
    const uid = nameOf(Number(type));
    if (!types.has(uid)) continue;
    remarks.note(
      `${uid}: a second row of the same document, locale and status; the first one was taken`,
      Number(count),
    );
  }
}

const linkCounts = ({ prepare, nameOf }: Staging, sql: string) =>
  prepare(sql)
    .all()
    .map(({ type, field, count }) => ({
      ...{ type: nameOf(Number(type)), field: nameOf(Number(field)) },
      count: Number(count),
    }));

const DANGLING = `
  select outer_links.type, field, count(*) as count
  from outer_links
    left join rows as near on near.type = outer_links.type and near.id = source
    left join rows as far on far.type = target_type and far.id = target
  where near.id is null or far.id is null
  group by 1, 2`;
const OF_FIELDS = 'select type, field, count(*) as count from outer_links group by 1, 2';
const INNER_DANGLING = `
  select inner_links.type, field, count(*) as count
  from inner_links left join rows on rows.type = target_type and rows.id = target
  where rows.id is null
  group by 1, 2`;

const QUIET: ReadonlySet<string> = new Set([
  `${PERMISSION_UID} role`,
  `${USER_UID} role`,
  `${FILE_UID} folder`,
  `${FOLDER_UID} parent`,
]);

function noteLinks({ staging, remarks }: Survey, types: TypesByUid): void {
  for (const { type, field, count } of linkCounts(staging, DANGLING))
    if (types.has(type))
      remarks.note(`${type}.${field}: a link to or from a row that the archive lacks; left out`, count);
  for (const { type, field, count } of linkCounts(staging, INNER_DANGLING))
    remarks.note(`${type}.${field}: a link to a row that the archive lacks; left out`, count);
  for (const { type, field, count } of linkCounts(staging, OF_FIELDS)) {
    const here = types.get(type);
    if ((here && linkTablesOf(here).has(field)) || isComponent(type) || QUIET.has(`${type} ${field}`)) continue;
    const links = counted(count, 'link');
    remarks.note(`${type}.${field || '(unnamed)'}: ${links} of a relation that is not there; left out`);
  }
}

/** Links of relations that have no place here; a remark about the relation counts them. */
function dropUnfitLinks({ staging: { prepare, numberOf }, schemas }: Survey): void {
  for (const [uid, name] of unfitRelations(schemas))
    for (const table of ['outer_links', 'inner_links'])
      prepare(`delete from ${table} where type = ? and field = ?`).run(numberOf(uid), numberOf(name));
}

/** Makes the links of a `morphOne` or `morphMany` of a component, which the archive has at their other side, its own. */
function takeLinksToComponents({ staging: { prepare, numberOf }, schemas }: Survey): void {
  const relations = schemas.flatMap(({ uid, attributes }) =>
    Object.entries(attributes)
      .filter(([, { morphBy }]) => isComponent(uid) && typeof morphBy === 'string')
      .map(([name, { target, morphBy }]) => ({
        name: numberOf(name),
        side: [String(target), String(morphBy), uid].map(numberOf),
      })),
  );
  const isOfSide = 'type = ? and field = ? and target_type = ?';
  const insert = prepare(
    `insert into inner_links select target_type, target, ?, seq, seq, type, source from outer_links where ${isOfSide}`,
  );
  for (const { name, side } of relations) insert.run(name, ...side);
  for (const { side } of relations) prepare(`delete from outer_links where ${isOfSide}`).run(...side);
}

/** Makes the staging area ready to be read from. */
export function resolveRows(survey: Survey, types: TypesByUid, defaultLocale: string): void {
  const { staging } = survey;
  staging.db.exec('commit');
  staging.db.exec('create index outer_field on outer_links (type, field, seq)');
  staging.db.exec('begin');
  dropUnfitLinks(survey);
  takeLinksToComponents(survey);
  normaliseVersions(staging, types, defaultLocale);
  markDoubles(survey, types);
  noteLinks(survey, types);
}
