/**
 * @module One request, as far as every kind of work needs it: who asks, of which deployment, with which database.
 */
import type { Credential } from '../auth/credential.ts';
import type { Grants } from '../auth/grants.ts';
import type { Settings } from '../config.ts';
import type { Reader } from '../plan/read/plan-read.ts';
import type { Registry } from '../registry/model.ts';
import type { RawQuery } from '../request/query-string.ts';
import type { Database } from '../sql/batch.ts';
import type { Caches } from './caches.ts';

export interface Call {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly credential: Credential;
  readonly database: Database;
  /** Plans, answers and advice that this isolate remembers. */
  readonly caches: Caches;
  /** As they came; `search` with its question mark. */
  readonly pathname: string;
  readonly search: string;
  /** Tags of the answers that the caller holds, each in its quotes, or `*` for any (`If-None-Match`). */
  readonly held: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly query: () => RawQuery;
  /** HEAD: status and headers are all that is answered. */
  readonly bodiless: boolean;
  /** After a commit: lets shared caches drop what depends on these stamps. */
  purge(names: readonly string[]): void;
  /** Lets work go on after the answer. */
  waitUntil(work: Promise<unknown>): void;
}

/** What plans depend on of a caller. */
export interface Authorized {
  readonly grants: Grants;
}

/** What planning may know of a caller. */
export const readerOf = ({ registry, settings, bodiless }: Call, { grants }: Authorized): Reader => ({
  registry,
  settings,
  grants,
  bodiless,
});
