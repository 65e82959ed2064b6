/**
 * @module A running Strapi → an archive of its content, which the import then takes as any other. Nothing is written into
 * the database before everything was read.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { counted } from '../counted.ts';
import { type ArchiveWriter, type LineWriter, writeArchive } from '../export/archive-writer.ts';
import { progressLine } from '../import/progress-line.ts';
import type { SourceNote } from '../import/records.ts';
import type { Remarks } from '../import/remarks.ts';
import { atExit } from '../platform/leftovers.ts';
import { componentsIn, type LocaleAnswer, typesIn } from './answers.ts';
import type { StrapiClient } from './client.ts';
import { type LinkStore, openLinkStore } from './link-store.ts';
import { assertReadable, type Question } from './preflight.ts';
import {
  LOCALES,
  localeEntities,
  localeSetting,
  ROLES,
  readLocales,
  readPermissions,
  readRoles,
  readUsers,
  roleEntities,
  USERS,
} from './read-accounts.ts';
import { type DocumentReading, grantOf, readDocuments } from './read-documents.ts';
import { FILES, readBytes, readFiles } from './read-files.ts';
import { readVersions } from './read-versions.ts';
import { assertPast, nextSince } from './server-time.ts';
import { contentTypesOf, isUntold, type SourceModel, sourceModel } from './source-model.ts';

export interface ServerReading {
  readonly client: StrapiClient;
  /** The archive that is to be written. */
  readonly path: string;
  readonly remarks: Remarks;
  /** ISO time: only what changed since then. */
  readonly since?: string;
  /** All versions that there are, so that those which are gone can be told. */
  readonly deletions: boolean;
  /** The bytes of files. */
  readonly files: boolean;
  /** Roles, permissions and locales as settings. */
  readonly config: boolean;
}

const TYPES = {
  path: '/api/content-type-builder/content-types',
  grant: 'plugin::content-type-builder.content-types.getContentTypes',
} as const;
const COMPONENTS = {
  path: '/api/content-type-builder/components',
  grant: 'plugin::content-type-builder.components.getComponents',
} as const;

async function readModel(client: StrapiClient): Promise<SourceModel> {
  await assertReadable(client, [
    { ...TYPES, needed: 'the content types' },
    { ...COMPONENTS, needed: 'the components' },
  ]);
  const types = typesIn(TYPES.path, await client.json(TYPES.path, TYPES.grant));
  return sourceModel(
    types.data,
    componentsIn(COMPONENTS.path, await client.json(COMPONENTS.path, COMPONENTS.grant)).data,
  );
}

function questions(model: SourceModel): readonly Question[] {
  const documents = contentTypesOf(model).map((type) => ({
    path: `/api/${type.path}?pagination[limit]=1&status=draft&fields[0]=documentId`,
    grant: grantOf(type),
    // A single type without a document answers 404 as well.
    ...(!type.single && { needed: type.uid }),
  }));
  return [...documents, { ...USERS, path: `${USERS.path}?limit=1` }, { ...FILES, path: `${FILES.path}?limit=1` }];
}

/** What the API never tells; whoever imports should know. */
function noteUntold(model: SourceModel, remarks: Remarks): void {
  const types = contentTypesOf(model).map(({ uid, attributes }) => [uid, attributes] as const);
  for (const [uid, attributes] of [...types, ...model.components]) {
    const names = Object.entries(attributes).flatMap(([name, json]) => (isUntold(json) ? [name] : []));
    if (names.length > 0)
      remarks.note(`${uid}: private attributes and passwords, which the API does not tell: ${names.join(', ')}`);
  }
  remarks.note('passwords of users, which the API does not tell: they ask for a new one, or take them from an archive');
  remarks.note('folders of the media library, which the API does not tell');
}

/** The parts that are open while a server is read. */
interface Work extends ServerReading {
  readonly archive: ArchiveWriter;
  readonly lines: LineWriter;
  readonly reading: DocumentReading;
  readonly locales: readonly LocaleAnswer[];
  readonly counts: { rows: number; objects: number };
}

async function addAll(lines: LineWriter, values: Iterable<object>): Promise<void> {
  for (const value of values) await lines.add(value);
}

async function writeLines(
  archive: ArchiveWriter,
  stage: Parameters<ArchiveWriter['lines']>[0],
  values: Iterable<object>,
) {
  const lines = archive.lines(stage);
  await addAll(lines, values);
  await lines.finish();
}

/** Rows of roles are needed for the roles of users, also where settings are not taken. */
async function writeAccounts({ client, lines, reading, locales, config }: Work): Promise<void> {
  const roles = await readRoles(client);
  await addAll(lines, localeEntities(config ? locales : []));
  await addAll(lines, roleEntities(roles));
  if (config) await addAll(lines, await readPermissions(reading, roles));
  await readUsers(reading);
}

async function writeFiles(work: Work): Promise<void> {
  const { client, archive, remarks, reading, counts, path } = work;
  const bytes = { client, archive, remarks, spoolPath: `${path}.part.bytes`, seen: new Set<string>() };
  await readFiles(reading, async (row) => {
    if (work.files) counts.objects += await readBytes(bytes, row);
  });
}

async function writeContent(work: Work): Promise<void> {
  const { reading, lines, deletions } = work;
  await writeFiles(work);
  await writeAccounts(work);
  for (const type of contentTypesOf(reading.model)) await readDocuments(reading, type);
  await lines.finish();
  if (deletions) await readVersions(reading);
}

async function writeRest({ archive, client, remarks, locales, since, deletions, config }: Work, store: LinkStore) {
  await writeLines(archive, 'links', store.links());
  if (since !== undefined || deletions) await writeLines(archive, 'versions', store.versions());
  await writeLines(archive, 'configuration', config ? localeSetting(locales) : []);
  const next = nextSince(client, remarks);
  const source: SourceNote = {
    ...{ address: client.base, whole: deletions },
    ...(since !== undefined && { since }),
    ...(next !== undefined && { next }),
  };
  const createdAt = new Date().toISOString();
  await archive.file('metadata.json', Buffer.from(JSON.stringify({ createdAt, source })));
}

async function writeServer(server: ServerReading, path: string, store: LinkStore): Promise<Work['counts']> {
  const { client, remarks, since } = server;
  const model = await readModel(client);
  if (since !== undefined) assertPast(client, since);
  const isLocalized = contentTypesOf(model).some(({ localized }) => localized);
  await assertReadable(client, [...(isLocalized ? [LOCALES] : []), ROLES, ...questions(model)]);
  noteUntold(model, remarks);
  const locales = await readLocales(client);
  const archive = writeArchive(path, undefined);
  const lines = archive.lines('entities');
  const line = progressLine(`reading ${client.base}`, 0);
  const counts = { rows: 0, objects: 0 };
  const add = async (entity: object): Promise<void> => {
    counts.rows += 1;
    line.count(1);
    await lines.add(entity);
  };
  const time = since === undefined ? '' : encodeURIComponent(since);
  const changed = time && `&filters[$or][0][updatedAt][$gte]=${time}&filters[$or][1][publishedAt][$gte]=${time}`;
  const codes = locales.map(({ code }) => code);
  const reading = { client, model, store, locales: codes, changed, add, ids: { next: 1 } };
  const work: Work = { ...server, path, archive, lines, reading, locales, counts };
  try {
    await writeLines(archive, 'schemas', model.schemas);
    await writeContent(work);
    await writeRest(work, store);
    await archive.finish();
  } catch (error) {
    await archive.giveUp();
    throw error;
  }
  line.done(`${client.base}: ${counted(counts.rows, 'row')}, ${counted(counts.objects, 'object')}`);
  return counts;
}

/** What an earlier reading left that was interrupted. */
function removeParts(path: string): void {
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(`${basename(path)}.part`)) rmSync(join(dirname(path), name), { force: true });
}

/**
 * Reads a server into an archive.
 * @throws UserError for what the token may not read, and for answers that are none of a Strapi; there is no archive then.
 */
export async function readServer(server: ServerReading): Promise<void> {
  const { path } = server;
  const store = openLinkStore();
  const remove = () => {
    if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) removeParts(path);
  };
  const forget = atExit(remove);
  try {
    mkdirSync(dirname(path), { recursive: true });
    removeParts(path);
    await writeServer(server, path, store);
  } finally {
    store.close();
    forget();
    remove();
  }
}
