/**
 * @module The first reading of an archive: checks and counts everything, and fills the staging area. Files may be in any order.
 */
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { isObject } from '../../src/common/json.ts';
import { isPrivateKey } from '../../src/features/files/names.ts';
import { FILE_UID } from '../../src/schema/system-types.ts';
import type { ArchiveFile } from '../core/archive/archive-file.ts';
import { type Entry, readEntries, type Stage } from '../core/archive/entries.ts';
import { linesOf, parseLine } from '../core/archive/json-lines.ts';
import { madeUpDocumentId, objectKey } from '../core/archive/names.ts';
import { type ContentCounts, newTally } from '../core/content-counts.ts';
import { etagOf } from '../core/storage/objects.ts';
import { UserError } from '../core/terminal.ts';
import {
  type ArchiveSchema,
  type Configuration,
  type Entity,
  type Metadata,
  readArchiveSchema,
  readConfigurationLine,
  readEntity,
  readLink,
  readMetadata,
} from './archive-lines.ts';
import { openStaging } from './staging.ts';

/** Warnings of an import, each reported once with its number of occurrences. */
export function newWarnings() {
  const counts = new Map<string, number>();
  const losses = new Set<string>();
  /** Counts one more of a kind; the text must not hold values of the archive that may be secret. */
  const add = (text: string, count = 1): void => {
    if (count > 0) counts.set(text, (counts.get(text) ?? 0) + count);
  };
  return {
    add,
    /** Counts one more of what the archive has, and the project does not get. */
    addLoss(text: string, count = 1): void {
      losses.add(text);
      add(text, count);
    },
    counts: counts as ReadonlyMap<string, number>,
    losses: losses as ReadonlySet<string>,
    /** Each warning with its count, in the order in which they came up first; all, or those that are losses or are none. */
    lines: (isLoss?: boolean): readonly string[] =>
      [...counts]
        .filter(([text]) => isLoss === undefined || losses.has(text) === isLoss)
        .map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`)),
  };
}

export type Warnings = ReturnType<typeof newWarnings>;

const newSurvey = (file: ArchiveFile, warnings: Warnings) => ({
  file,
  warnings,
  /** SHA-256 of the file. */
  fingerprint: '',
  metadata: undefined as Metadata | undefined,
  schemas: [] as ArchiveSchema[],
  configuration: [] as Configuration[],
  entities: 0,
  /** Entities that have a documentId. */
  identified: 0,
  links: 0,
  /** What the archive holds, settings included. */
  counts: { documents: 0, versions: 0, links: 0, files: 0 },
  /** What of that is not imported. */
  leftOut: newTally(),
  /** What is written beyond it. */
  added: newTally(),
  /** Key of an object → the etag that the bucket gives to its bytes, of what the archive holds. */
  uploads: new Map<string, string>(),
  staging: openStaging(),
});

/** What is in memory of an archive. */
export type Survey = Readonly<ReturnType<typeof newSurvey>>;
type Found = ReturnType<typeof newSurvey>;

const MAX_METADATA = 1024 * 1024;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The documentId of a row; a row without one becomes a document of its own. */
export function documentIdOf({ type, id, data }: Entity): string {
  const { documentId } = data;
  return isText(documentId) && documentId.length <= 255 ? documentId : madeUpDocumentId(type, id);
}

/** The objects that a file row names: its bytes, and those of its smaller formats. */
function addObjects({ data }: Entity, { staging, warnings }: Found): void {
  const insert = staging.prepare('insert or ignore into objects values (?, ?)');
  const formats = isObject(data.formats) ? Object.values(data.formats).filter(isObject) : [];
  for (const one of [data, ...formats])
    if (isText(one.hash)) insert.run(objectKey(one), isText(one.mime) ? one.mime : '');
  if (isText(data.hash) && isPrivateKey(data.hash))
    warnings.add('a private file: it stays private, but no folder of the archive is, so new files there are public');
}

/** What is to be done with a value, which stands on a line of its own. */
type Take = (value: unknown, place: string, found: Found, line: string) => void;

const takeEntity: Take = (value, place, found, line) => {
  const entity = readEntity(value, place);
  const { type } = entity;
  found.entities += 1;
  if (isText(entity.data.documentId)) found.identified += 1;
  else found.warnings.add(`${type}: a row without documentId became a document of its own`);
  if (!found.staging.addRow(found.entities, entity, documentIdOf(entity), line))
    found.leftOut.add(`${type}: rows whose id another row has`, { versions: 1 });
  if (type === FILE_UID) addObjects(entity, found);
};

const TAKE: Readonly<Record<Stage, Take>> = {
  schemas: (value, place, found) => found.schemas.push(readArchiveSchema(value, place)),
  entities: takeEntity,
  links(value, place, found) {
    const link = readLink(value, place);
    found.links += 1;
    if (found.staging.addLink(link)) return;
    if (link.left.field === 'localizations')
      found.leftOut.addUnneeded('to other locales of a document, which have its documentId', { links: 1 });
    else found.leftOut.add('without the id of a row', { links: 1 });
  },
  configuration: (value, place, found) => found.configuration.push(readConfigurationLine(value, place)),
};

async function metadataIn({ name, bytes, size }: Entry): Promise<Metadata> {
  if (size > MAX_METADATA) throw new UserError(`${name} is too large`);
  return readMetadata(parseLine(await text(bytes), name, 1), `${name}, line 1`);
}

async function takeLines({ bytes, name }: Entry, take: Take, found: Found): Promise<void> {
  let number = 0;
  for await (const lines of linesOf(bytes, name))
    for (const line of lines) {
      number += 1;
      if (line.trim() !== '') take(parseLine(line, name, number), `${name}, line ${number}`, found, line);
    }
}

async function takeEntry(entry: Entry, found: Found): Promise<void> {
  const { is, size } = entry;
  switch (is.kind) {
    case 'metadata':
      found.metadata = await metadataIn(entry);
      break;
    case 'upload':
      found.uploads.set(is.key, await etagOf(entry.bytes, size));
      break;
    case 'unknown':
      found.warnings.addLoss('a file in the archive that Strapi does not write; not imported');
      break;
    case 'lines':
      await takeLines(entry, TAKE[is.stage], found);
      break;
    case 'sidecar':
      break;
    default:
      is satisfies never;
  }
}

/** @throws UserError for an archive without what says what its rows mean, or of an older Strapi: that has no documentIds. */
function assertUsable({ file: { path }, metadata, schemas, uploads, entities, identified }: Survey): void {
  const version = metadata?.strapi?.version ?? '';
  if (identified === 0 && (entities > 0 || /^[0-4]\./.test(version)))
    throw new UserError(
      `The archive was made by Strapi ${version || '4 or older'}: its rows have no documentId. Upgrade that project to Strapi 5 and export it again: https://docs.strapi.io/cms/migration/v4-to-v5/step-by-step`,
    );
  if (!metadata && schemas.length === 0 && entities === 0 && uploads.size === 0)
    throw new UserError(`${path} is no archive of Strapi: it has neither metadata.json nor schemas`);
  if (!metadata) throw new UserError(`${path} has no metadata.json: it is cut, or was changed`);
  if (schemas.length === 0) throw new UserError(`${path} has no schemas: what its rows mean cannot be known`);
}

const countsOf = ({ staging, entities, links, uploads }: Survey): ContentCounts => ({
  documents: Number(staging.prepare('select count(distinct type || document_id) as count from rows').get()?.count),
  ...{ versions: entities, links, files: uploads.size },
});

/**
 * Reads an archive once.
 * @param report gets how many bytes of the file were read, each time.
 * @throws UserError for an archive that is broken, is none, or is of another version of Strapi. Nothing is left behind.
 */
export async function surveyArchive(
  file: ArchiveFile,
  warnings: Warnings,
  report?: (bytes: number) => void,
): Promise<Survey> {
  const survey = newSurvey(file, warnings);
  try {
    const hash = createHash('sha256');
    const see = (chunk: Buffer) => {
      hash.update(chunk);
      report?.(chunk.length);
    };
    for await (const entry of readEntries(file, see)) await takeEntry(entry, survey);
    assertUsable(survey);
    return Object.assign(survey, { fingerprint: hash.digest('hex'), counts: countsOf(survey) });
  } catch (error) {
    survey.staging.close();
    throw error;
  }
}
