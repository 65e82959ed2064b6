/**
 * @module The first reading of an archive: everything is checked and counted, nothing is written but to the staging
 * area. Files may lie in any order.
 */
import { LOCALE_UID, PERMISSION_UID } from '../../registry/plugin-schemas.ts';
import { FILE_UID, ROLE_UID } from '../../registry/system-types.ts';
import { type ArchiveFile, newFingerprint } from '../core/archive/archive-file.ts';
import { type Entry, readEntries, type Stage } from '../core/archive/entries.ts';
import { parseLine, valuesOf } from '../core/archive/json-lines.ts';
import { type Hashed, madeUpDocumentId, objectKey } from '../core/archive/names.ts';
import { joined } from '../core/bytes.ts';
import { UserError } from '../core/terminal.ts';
import { etagOf } from './etag.ts';
import {
  type ArchiveSchema,
  type Configuration,
  type Entity,
  type Metadata,
  type Place,
  readArchiveSchema,
  readConfigurationLine,
  readEntity,
  readLink,
  readMetadata,
} from './records.ts';
import type { Remarks } from './remarks.ts';
import { openStaging, type Staging } from './staging.ts';

/** What is kept in memory of an archive. */
export interface Survey {
  readonly file: ArchiveFile;
  /** SHA-256 of the file. */
  readonly fingerprint: string;
  readonly metadata: Metadata;
  readonly schemas: readonly ArchiveSchema[];
  readonly configuration: readonly Configuration[];
  /** Rows of types of which there are few and that become settings: roles, permissions, locales. */
  readonly settingRows: readonly Entity[];
  /** Type → number of its rows. */
  readonly rows: ReadonlyMap<string, number>;
  readonly entities: number;
  readonly links: number;
  /** `<uid>.<attribute>` → number of links that name it at either end. */
  readonly linkCounts: ReadonlyMap<string, number>;
  /** Key of an object → the etag that the bucket gives to its bytes, of what the archive holds. */
  readonly uploads: ReadonlyMap<string, string>;
  readonly staging: Staging;
}

const SETTING_TYPES: ReadonlySet<string> = new Set([ROLE_UID, PERMISSION_UID, LOCALE_UID]);

const MOST_METADATA = 1024 * 1024;

/** What has been found so far. */
interface Found {
  readonly staging: Staging;
  readonly remarks: Remarks;
  readonly rows: Map<string, number>;
  readonly schemas: ArchiveSchema[];
  readonly configuration: Configuration[];
  readonly settingRows: Entity[];
  readonly uploads: Map<string, string>;
  readonly linkCounts: Map<string, number>;
  metadata?: Metadata;
  links: number;
  withDocumentId: number;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The documentId of a row; a row without one becomes a document of its own. */
export function documentIdOf({ type, id, data }: Entity): string {
  const { documentId } = data;
  return isText(documentId) && documentId.length <= 255 ? documentId : madeUpDocumentId(type, id);
}

interface Format extends Hashed {
  readonly mime?: unknown;
}

/** The objects that a file row names: its bytes, and those of its smaller formats. */
function addObjects({ id, data }: Entity, { staging }: Found): void {
  const formats = typeof data.formats === 'object' && data.formats !== null ? Object.values(data.formats) : [];
  for (const one of [data as Format, ...(formats as readonly (Format | null)[])])
    if (one && isText(one.hash)) staging.addObject(objectKey(one), isText(one.mime) ? one.mime : '', id);
}

function takeEntity(value: unknown, place: Place, found: Found): void {
  const entity = readEntity(value, place);
  const { type } = entity;
  found.rows.set(type, (found.rows.get(type) ?? 0) + 1);
  if (isText(entity.data.documentId)) found.withDocumentId += 1;
  else found.remarks.note(`${type}: a row without documentId became a document of its own`);
  found.staging.addRow(entity, documentIdOf(entity));
  if (type === FILE_UID) addObjects(entity, found);
  if (SETTING_TYPES.has(type)) found.settingRows.push(entity);
}

const TAKE: Readonly<Record<Stage, (value: unknown, place: Place, found: Found) => void>> = {
  schemas: (value, place, found) => found.schemas.push(readArchiveSchema(value, place)),
  entities: takeEntity,
  links(value, place, found) {
    const link = readLink(value, place);
    found.links += 1;
    found.staging.addLink(link);
    for (const { type, field } of [link.left, link.right]) {
      const key = `${type}.${field}`;
      if (field) found.linkCounts.set(key, (found.linkCounts.get(key) ?? 0) + 1);
    }
  },
  configuration: (value, place, found) => found.configuration.push(readConfigurationLine(value, place)),
};

async function metadataIn({ name, bytes, size }: Entry): Promise<Metadata> {
  if (size > MOST_METADATA) throw new UserError(`${name} is too large`);
  return readMetadata(parseLine((await joined(bytes)).toString(), name, 1), { name, line: 1 });
}

async function takeEntry(entry: Entry, found: Found): Promise<void> {
  const { is, name, size } = entry;
  if (is.kind === 'metadata') found.metadata = await metadataIn(entry);
  else if (is.kind === 'upload') found.uploads.set(is.key, await etagOf(entry.bytes, size));
  else if (is.kind === 'unknown') found.remarks.note('a file of the archive is none that Strapi writes; not taken');
  else if (is.kind === 'lines')
    for await (const values of valuesOf(entry.bytes, name))
      for (const [value, line] of values) TAKE[is.stage](value, { name, line }, found);
}

/** Rows have documentIds since Strapi 5. */
function refuseOlder({ metadata, rows, withDocumentId }: Found): void {
  const version = metadata?.strapi?.version ?? '';
  const old = /^[0-4]\./.test(version) && withDocumentId === 0;
  if (old || (sum(rows.values()) > 0 && withDocumentId === 0))
    throw new UserError(
      `The archive was made by Strapi ${version || '4 or older'}: its rows have no documentId. Upgrade that project to Strapi 5 and export it again: https://docs.strapi.io/cms/migration/v4-to-v5/step-by-step`,
    );
}

function refuseIncomplete({ metadata, schemas, rows, uploads }: Found, { path }: ArchiveFile): void {
  if (!metadata) {
    const empty = schemas.length === 0 && rows.size === 0 && uploads.size === 0;
    throw new UserError(
      empty
        ? `${path} is no archive of Strapi: it has neither metadata.json nor schemas`
        : `${path} has no metadata.json: it is cut, or was changed`,
    );
  }
  if (schemas.length === 0) throw new UserError(`${path} has no schemas: what its rows mean cannot be known`);
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);

/**
 * Reads an archive once.
 * @param told bytes of the file that were read, each time.
 * @throws UserError for an archive that is broken, is none, or is of another version of Strapi. Nothing is left behind.
 */
export async function surveyArchive(
  file: ArchiveFile,
  remarks: Remarks,
  told?: (bytes: number) => void,
): Promise<Survey> {
  const staging = openStaging();
  try {
    const found: Found = {
      staging,
      remarks,
      rows: new Map(),
      schemas: [],
      configuration: [],
      settingRows: [],
      uploads: new Map(),
      linkCounts: new Map(),
      links: 0,
      withDocumentId: 0,
    };
    const hash = newFingerprint();
    for await (const entry of readEntries(file, told, hash)) await takeEntry(entry, found);
    refuseOlder(found);
    refuseIncomplete(found, file);
    const { metadata = {}, schemas, configuration, settingRows, rows, links, linkCounts, uploads } = found;
    return {
      file,
      fingerprint: hash.digest('hex'),
      metadata,
      schemas,
      configuration,
      settingRows,
      rows,
      links,
      linkCounts,
      staging,
      entities: sum(rows.values()),
      uploads,
    };
  } catch (error) {
    staging.close();
    throw error;
  }
}
