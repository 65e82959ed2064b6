/**
 * @module Hooks: code of the project that writes run.
 */

import { effective } from '../../access/grants.ts';
import { isObject } from '../../common/json.ts';
import { type Credential, isAccount, isUser } from '../../content/credentials/credential.ts';
import type { DocumentChange } from '../../content/plan/model/change.ts';
import type { Call, Hooks } from '../../content/runtime/call.ts';
import type { Registry } from '../../schema/model.ts';
import type { AnyTypes, ByUid, Documents, Uid } from './document-types.ts';
import { documentsOf } from './documents.ts';
import { dataOfValue } from './input.ts';

/** Who sent a request. */
export interface CallerInfo {
  readonly kind: 'public' | 'token' | 'user';
  /** The numeric id of a user. */
  readonly userId?: number;
  /** The host of a client of OAuth that acts for the user; absent for the user themselves. */
  readonly client?: string;
  /** Is an action granted, such as `api::article.article.create`? A grant with conditions, or for drafts only, counts. */
  allows(actionId: string): boolean;
}

export interface HookContext<C> {
  readonly operation: 'create' | 'update';
  /** Also that of the new document; undefined for a single type. */
  readonly documentId: string | undefined;
  readonly caller: CallerInfo;
  readonly documents: Documents<C>;
}

type Awaitable<T> = T | Promise<T>;

/** The attributes of a body. It was not validated, so its values may be anything. */
export type Input<C, U> = { readonly [N in keyof ByUid<C, U>['update']]?: unknown };

export type BeforeWrite<C> = {
  readonly [U in Uid<C>]?: (data: Input<C, U>, context: HookContext<C>) => Awaitable<Input<C, U>>;
};

type Unknown<C, U, R> = Exclude<keyof Awaited<R>, keyof Input<C, U>>;

/** Rejects hooks that return attributes which the type does not have. */
export type Exact<C, H> = {
  readonly [U in keyof H]: H[U] extends (...args: never) => infer R
    ? [Unknown<C, U, R>] extends [never]
      ? unknown
      : (...args: never) => { readonly [N in Unknown<C, U, R>]: 'not an attribute of the content type' }
    : unknown;
};

export interface CommitContext<C> {
  /** Who wrote. A scheduled publication has every grant. */
  readonly caller: CallerInfo;
  readonly documents: Documents<C>;
  readonly env: Env;
  /** Lets work continue after the hook has ended. */
  waitUntil(work: Promise<unknown>): void;
}

/** Of a document or a file. */
export type Change<C> = DocumentChange & { readonly uid: Uid<C> | 'plugin::upload.file' };

export type AfterCommit<C> = (changes: readonly Change<C>[], context: CommitContext<C>) => Awaitable<void>;

export interface HookCode {
  readonly beforeWrite?: BeforeWrite<AnyTypes> | undefined;
  readonly afterCommit?: AfterCommit<AnyTypes> | undefined;
}

/** How many hooks may run below each other. */
const MAX_DEPTH = 8;
/** SQLite reads no more. */
const MAX_JSON_DEPTH = 1_000;
/** Milliseconds. */
const MAX_DURATION = 30_000;

export const callerOf = (credential: Credential, registry: Registry): CallerInfo => ({
  // A preview has the grants of the public role.
  kind: isAccount(credential) ? credential.kind : 'public',
  ...(isUser(credential) && {
    userId: credential.id,
    ...(credential.client && { client: credential.client.host }),
  }),
  allows: (id) => effective(credential.grants, registry).allows(id),
});

/** Only errors reach the handler of errors. */
export const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });

/**
 * Runs code of the project.
 * @param name for the error message
 * @throws Error after 30 seconds, and for whatever the hook throws
 */
export async function settled<T>(name: string, hook: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not end within 30 seconds`)), MAX_DURATION);
  });
  try {
    return await Promise.race([hook(), late]);
  } catch (error) {
    throw errorOf(error);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws Error for a hook of a type that is no content type of the project */
export function rejectUnknown({ beforeWrite = {} }: HookCode, { contentTypes }: Registry): void {
  const uid = Object.keys(beforeWrite).find((each) => contentTypes.get(each)?.system !== false);
  if (uid !== undefined) throw new Error(`beforeWrite names "${uid}", which is no content type of content-types/`);
}

/** Returns undefined without hooks. @param depth how many hooks run above these */
export function hooksOf(code: HookCode, env: Env, depth = 0): Hooks | undefined {
  const { beforeWrite = {}, afterCommit } = code;
  if (!code.beforeWrite && !afterCommit) return undefined;
  /** What a hook may use. @throws Error below too many */
  function contextOf(name: string, call: Call) {
    if (depth === MAX_DEPTH) throw new Error(`${name}: hooks write documents whose hooks write, ${depth} levels deep`);
    const documents = documentsOf({ ...call, hooks: hooksOf(code, env, depth + 1) });
    return { caller: callerOf(call.credential, call.registry), documents };
  }
  return {
    afterCommit:
      afterCommit &&
      ((changes, call) => {
        const { waitUntil } = call;
        const run = async () => afterCommit(changes, { ...contextOf('afterCommit', call), env, waitUntil });
        waitUntil(settled('afterCommit', run));
      }),
    beforeWrite(uid) {
      const hook = beforeWrite[uid];
      if (!hook) return undefined;
      const name = `beforeWrite of ${uid}`;
      return async ({ data, ...input }, call) => {
        const context = { documentId: undefined, ...input, ...contextOf(name, call) };
        const result = await settled(name, async () => hook(data, context));
        if (!isObject(result)) throw new Error(`${name} returned no object`);
        const { limits } = call.settings.api.rest;
        // A hook returns the values of a former version, which no limit of a body concerns.
        return dataOfValue(result, call.isRestoring ? { ...limits, bodyDepth: MAX_JSON_DEPTH } : limits);
      };
    },
  };
}
