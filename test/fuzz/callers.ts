/**
 * @module The callers of the fuzzers, with their grants in the world of each. A new caller, or a new kind, joins both by its
 * entry: its rights decide what it sends, and its grants what is hidden from it.
 */
import { credentialOf, type Grant, type Host, type Kind, partOf, type Rights } from '../generators/callers.ts';
import { CURATOR, DEPUTY_TYPES, DRAFTER, LECTOR, PARTNER, ROLES } from './interference/grants.ts';
import * as magazine from './magazine-grants.ts';

/** Fuzzers that send requests of several callers. */
export type Fuzzer = 'interference' | 'requests';

interface Caller {
  /** How often it sends requests, compared with the others. */
  readonly weight: number;
  readonly rights: Rights;
  /** In the world of each fuzzer; or why it sends nothing there. Those of clients and previews are those of others. */
  readonly grants: Readonly<Record<Fuzzer, readonly Grant[] | string>>;
}

/** Rights that follow from those of others, or from the type of a token. */
const DERIVED: readonly Grant[] = [];
const NOTHING_HIDDEN = 'nothing is hidden from it but private attributes, which the fuzzer of requests looks for';

export const CALLERS = {
  full: {
    weight: 16,
    rights: { kind: 'token', type: 'full-access' },
    grants: { interference: NOTHING_HIDDEN, requests: DERIVED },
  },
  reads: {
    weight: 1,
    rights: { kind: 'token', type: 'read-only' },
    grants: { interference: NOTHING_HIDDEN, requests: DERIVED },
  },
  agent: {
    weight: 1,
    rights: { kind: 'token', type: 'agent' },
    grants: { interference: NOTHING_HIDDEN, requests: DERIVED },
  },
  public: {
    weight: 2,
    rights: { kind: 'public' },
    grants: { interference: ROLES.public, requests: magazine.ROLES.public },
  },
  anna: {
    weight: 2,
    rights: { kind: 'user', role: 'authenticated' },
    grants: { interference: ROLES.authenticated, requests: magazine.ROLES.authenticated },
  },
  nils: {
    weight: 1,
    rights: { kind: 'user', role: 'authenticated' },
    grants: {
      interference: ROLES.authenticated,
      requests: 'has the role of anna, and no attribute of users is compared',
    },
  },
  edda: {
    weight: 2,
    rights: { kind: 'user', role: 'editor' },
    grants: { interference: ROLES.editor, requests: magazine.ROLES.editor },
  },
  wim: {
    weight: 2,
    rights: { kind: 'user', role: 'writer' },
    grants: { interference: ROLES.writer, requests: magazine.ROLES.writer },
  },
  partner: {
    weight: 2,
    rights: { kind: 'token', type: 'custom' },
    grants: { interference: PARTNER, requests: magazine.PARTNER },
  },
  drafter: {
    weight: 1,
    rights: { kind: 'token', type: 'custom' },
    grants: { interference: DRAFTER, requests: magazine.DRAFTER },
  },
  lector: {
    weight: 2,
    rights: { kind: 'token', type: 'custom' },
    grants: { interference: LECTOR, requests: magazine.LECTOR },
  },
  curator: {
    weight: 1,
    rights: { kind: 'token', type: 'custom' },
    grants: { interference: CURATOR, requests: magazine.CURATOR },
  },
  preview: {
    weight: 2,
    rights: { kind: 'preview', maker: 'full' },
    grants: { interference: DERIVED, requests: DERIVED },
  },
  glimpse: {
    weight: 1,
    rights: { kind: 'preview', maker: 'curator' },
    grants: { interference: DERIVED, requests: DERIVED },
  },
  clerk: {
    weight: 1,
    rights: { kind: 'client', user: 'edda', delegation: { level: 'read', types: null } },
    grants: { interference: DERIVED, requests: DERIVED },
  },
  deputy: {
    weight: 2,
    rights: { kind: 'client', user: 'edda', delegation: { level: 'drafts', types: DEPUTY_TYPES } },
    grants: { interference: DERIVED, requests: DERIVED },
  },
} as const satisfies Readonly<Record<string, Caller>>;

export type CallerName = keyof typeof CALLERS;

const ALL: ReadonlyMap<string, Caller> = new Map(Object.entries(CALLERS));

/** The callers of a fuzzer. */
export const callersOf = (fuzzer: Fuzzer): readonly CallerName[] =>
  [...ALL].filter(([, { grants }]) => typeof grants[fuzzer] !== 'string').map(([name]) => name as CallerName);

/** Returns the grants of a caller, those that follow from others among them. */
export function grantsOf(fuzzer: Fuzzer, name: string): readonly Grant[] {
  const caller = ALL.get(name);
  if (!caller) return [];
  const { rights, grants } = caller;
  if (rights.kind === 'client') return partOf(grantsOf(fuzzer, rights.user), rights.delegation);
  if (rights.kind === 'preview') return grantsOf(fuzzer, 'public');
  const own = grants[fuzzer];
  return typeof own === 'string' ? [] : own;
}

/** The kind of a caller. */
export const kindOf = (name: string): Kind | undefined => ALL.get(name)?.rights.kind;

/** Callers as values with weights. */
export const weighted = (fuzzer: Fuzzer): readonly CallerName[] =>
  callersOf(fuzzer).flatMap((name) => Array.from({ length: CALLERS[name].weight }, () => name));

/** May it find every document of every type? */
export const findsAll = (name: string): boolean => {
  const rights = ALL.get(name)?.rights;
  return rights?.kind === 'token' && rights.type !== 'custom';
};

/** The setting `roles` of a fuzzer's world. */
export const rolesOf = (fuzzer: Fuzzer): Record<string, Grant[]> =>
  Object.fromEntries(
    callersOf(fuzzer).flatMap((name) => {
      const { rights } = CALLERS[name];
      const role = rights.kind === 'user' ? rights.role : rights.kind === 'public' ? 'public' : undefined;
      return role === undefined ? [] : [[role, [...grantsOf(fuzzer, name)]]];
    }),
  );

/** Lets callers of some kinds in. @param begin is called before each. @returns their credentials by name */
export async function letIn(
  host: Host,
  fuzzer: Fuzzer,
  kinds: readonly Kind[],
  begin: (name: string) => void = () => undefined,
): Promise<Record<string, string>> {
  const tokens: Record<string, string> = {};
  for (const [name, { rights }] of ALL) {
    // Those that send nothing here, too: tokens with all rights make content and previews.
    if (!kinds.includes(rights.kind)) continue;
    begin(name);
    const token = await credentialOf(host, { name, grants: grantsOf(fuzzer, name) }, rights);
    if (!token && rights.kind !== 'public') throw new Error(`${name} was not let in`);
    tokens[name] = token;
  }
  return tokens;
}
