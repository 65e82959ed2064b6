/**
 * @module One request: the caller, the deployment, the database.
 */

import type { Grants } from '../../access/grants.ts';
import type { Registry } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { type Credential, isAccount, isPreview } from '../credentials/credential.ts';
import type { Document } from '../document/document.ts';
import type { DocumentChange } from '../plan/model/change.ts';
import type { ReadPlan } from '../plan/model/read-plan.ts';
import type { WritePlan } from '../plan/model/write-plan.ts';
import type { Reader } from '../plan/read/plan-read.ts';
import type { InputData } from '../request/body.ts';
import type { RawQuery } from '../request/query-string.ts';
import type { Database } from '../sql/batch.ts';
import type { Statement } from '../sql/statement.ts';
import type { Actor } from '../sql/write/stored-actor.ts';
import type { Caches } from './caches.ts';

export interface Call {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly credential: Credential;
  readonly database: Database;
  /** Signs what this deployment hands out. */
  readonly secret?: string | undefined;
  readonly caches: Caches;
  /** Undecoded; `search` with its question mark. */
  readonly pathname: string;
  readonly search: string;
  /** Tags of `If-None-Match`, each in its quotes. */
  readonly held: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly query: () => RawQuery;
  /** Is it a HEAD request? */
  readonly bodiless: boolean;
  /** Code of the project; absent without any. */
  readonly hooks?: Hooks | undefined;
  /** Those that the settings switch on. */
  readonly features: readonly OperationFeature[];
  /** Of a publication whose time has come. */
  readonly schedule?: { readonly madeBy: string | null };
  /** Does it restore a former version? */
  readonly isRestoring?: true;
  /** Does a tool send it? */
  readonly isOfTool?: boolean | undefined;
  /** Runs work of a feature after the response, with its own database; absent in the tests of a project. */
  readonly afterResponse?: ((work: (database: Database, env: Env) => Promise<void>) => void) | undefined;
  /** Evicts responses that depend on these stamps from shared caches. Returns whether all are gone; a write does not wait. */
  purge(names: readonly string[]): Promise<boolean>;
  /** Lets work continue after the response. */
  waitUntil(work: Promise<unknown>): void;
}

/** The input of a write, before it is validated. */
export interface HookedInput {
  readonly data: InputData;
  readonly operation: 'create' | 'update';
  /** Of the new document, too; absent for a single type. */
  readonly documentId?: string | undefined;
}

/** Code of the project that writes run. */
export interface Hooks {
  /** Returns the hook of a type. It returns the input to write, and throws what the write is to fail with. */
  beforeWrite(uid: string): ((input: HookedInput, call: Call) => Promise<InputData>) | undefined;
  /** Called once for each commit. */
  readonly afterCommit?: ((changes: readonly DocumentChange[], call: Call) => void) | undefined;
}

/** What a write does in addition to its plan. */
export interface Notices {
  /** Statements before those of the plan, while the rows that it deletes are there. */
  readonly before: readonly Statement[];
  readonly after: readonly Statement[];
  /** Called after the commit. */
  committed(): void;
}

/** Signed addresses of private files. */
export interface SignedAddresses {
  /**
   * Returns a function to call with each document of one response, which it changes; undefined for a plan that leads to no
   * file. A plan is cached, so it has nothing of the request.
   */
  signer(plan: ReadPlan, signing: Pick<Call, 'settings' | 'secret'>): ((document: Document) => void) | undefined;
  /** Returns the window of time in which responses have the same addresses. @param now milliseconds since 1970 */
  window(settings: Settings, now: number): number;
}

/** What a feature adds to operations. */
export interface OperationFeature {
  /** Called once for each write with a plan. */
  readonly notices?: (plan: WritePlan, call: Call) => Notices;
  /** Returns a function to call with each document of one response. It returns the document with source maps. */
  readonly sourceMapper?: (plan: ReadPlan, settings: Settings) => (document: Document) => Document;
  readonly addresses?: SignedAddresses;
}

/** A call without a caller, of the cron trigger. */
export type SystemCall = Omit<Call, 'credential'>;

export interface Authorized {
  readonly grants: Grants;
}

export const addressesOf = ({ features }: Pick<Call, 'features'>): SignedAddresses | undefined =>
  features.find(({ addresses }) => addresses)?.addresses;

/** Has a text a signed address? A text of a document that looks like one makes a response less cacheable, and no more. */
export const isSigned = (text: string): boolean => text.includes('&signature=');

export const readerOf = ({ registry, settings, bodiless }: Call, { grants }: Authorized): Reader => ({
  registry,
  settings,
  grants,
  bodiless,
});

/** Are relations with `connect` or `disconnect` beside `set` rejected, and does an empty `set` clear? For tools always. */
export const rejectsMixedRelations = ({ settings, isOfTool }: Pick<Call, 'settings' | 'isOfTool'>): boolean =>
  isOfTool === true || settings.api.documents.mixedRelations === 'reject';

/** Who makes the writes of a call. */
export function actorOf({ credential, schedule }: Call): Actor {
  if (isAccount(credential)) return credential;
  if (isPreview(credential)) throw new Error('A preview makes no writes');
  return schedule ? { kind: 'schedule', madeBy: schedule.madeBy } : credential;
}
