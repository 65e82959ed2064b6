/**
 * @module `manifest.json`, the last file of a backup: its contents, and the checksum of each file.
 */
import * as z from 'zod/mini';
import { parseLine } from '../core/archive/json-lines.ts';
import { readValue } from '../core/read-value.ts';

export const MANIFEST = 'manifest.json';
const FORMAT = 'edgewise-backup';
const VERSION = 1;

const count = z.int().check(z.nonnegative());

const table = z.readonly(
  z.object({
    name: z.string(),
    columns: z.readonly(z.array(z.string())),
    /** Of each column, in the same order. */
    types: z.readonly(z.array(z.string())),
    /** The file of its rows, one a line. */
    file: z.string(),
    rows: count,
  }),
);

const object = z.readonly(
  z.object({
    key: z.string(),
    file: z.string(),
    size: count,
    etag: z.string(),
    httpMetadata: z.optional(z.record(z.string(), z.string())),
    customMetadata: z.optional(z.record(z.string(), z.string())),
  }),
);

const manifest = z.readonly(
  z.object({
    format: z.literal(FORMAT),
    version: z.literal(VERSION),
    createdAt: z.string(),
    /** Names of the migrations that the database has, in order. */
    migrations: z.readonly(z.array(z.string())),
    tables: z.readonly(z.array(table)),
    /** SQL of indexes, triggers and views. None of it is ever executed. */
    rest: z.readonly(z.array(z.string())),
    /** Highest id so far of each table that counts its ids. */
    sequences: z.readonly(z.array(z.readonly(z.tuple([z.string(), count])))),
    objects: z.readonly(z.array(object)),
    files: z.record(z.string(), z.readonly(z.object({ size: count, sha256: z.string() }))),
  }),
);

export type Manifest = z.infer<typeof manifest>;
export type TableEntry = z.infer<typeof table>;
export type ObjectEntry = z.infer<typeof object>;
export type Checksum = Manifest['files'][string];
export const manifestText = (values: Omit<Manifest, 'format' | 'version'>): string =>
  JSON.stringify({ format: FORMAT, version: VERSION, ...values }, null, 1);

/** @throws UserError for a text that is no manifest, or that of another version. */
export const parseManifest = (text: string, path: string): Manifest =>
  readValue(manifest, parseLine(text, `${path}: ${MANIFEST}`, 1), `${path}: ${MANIFEST}`);
