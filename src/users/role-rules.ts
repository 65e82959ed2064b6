/**
 * @module Checks what a body of `/api/users` says about the role, in Strapi's words: an id, or an object that connects
 * one. Which role that is, and whether it exists, is resolved while the write is planned.
 */
import type { Issue } from '../errors.ts';
import { isObject } from '../json.ts';
import { printPath, wrongType } from '../plan/validate/messages.ts';
import type { InputData } from '../request/body.ts';

type Path = readonly string[];

const AT: Path = ['role'];
const NO_ROLE = 'Users must have a role';

const issueAt = (path: Path, value: unknown, message: string): Issue => ({
  path,
  message,
  ...(value !== undefined && { value }),
});

const wrongTypeAt = (path: Path, type: string, value: unknown): Issue =>
  issueAt(path, value, wrongType(printPath(path), type, value, value));

/** Strapi's type `strapiID`: any text, or a whole number that is not negative. */
const isId = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value) && value >= 0);

const idIssues = (path: Path, value: unknown): readonly Issue[] =>
  isId(value) ? [] : [wrongTypeAt(path, 'strapiID', value)];

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function entryIssues(path: Path, entry: unknown): readonly Issue[] {
  if (!isObject(entry)) return [wrongTypeAt(path, 'object', entry)];
  const inner = ['id', 'documentId']
    .filter((name) => entry[name] !== undefined)
    .flatMap((name) => idIssues([...path, name], entry[name]));
  const isNamed = isGiven(entry.id) || isGiven(entry.documentId);
  return isNamed ? inner : [...inner, issueAt(path, entry, 'Relation entry must include an id or documentId')];
}

/** @param own what is wrong with the list as a whole, which Strapi reports after its entries. */
function listIssues(
  path: Path,
  list: unknown,
  own: (list: readonly unknown[]) => string | undefined,
): readonly Issue[] {
  if (!Array.isArray(list)) return [wrongTypeAt(path, 'array', list)];
  const entries = list.flatMap((entry, index) => entryIssues([...path, String(index)], entry));
  const message = own(list);
  return message === undefined ? entries : [...entries, issueAt(path, list, message)];
}

/** Strapi would take the role away; here a user keeps one. */
const emptied = (role: InputData): readonly Issue[] =>
  Object.hasOwn(role, 'set') &&
  [role.set].flat(Number.POSITIVE_INFINITY).every((item) => !isGiven(item)) &&
  role.set !== null
    ? [issueAt([...AT, 'set'], role.set, NO_ROLE)]
    : [];

/** A new user needs a role; `''` and `0` leave the choice to the settings. That a role is given at all, the schema checks. */
export function newRoleIssues(role: unknown): readonly Issue[] {
  if (role === undefined) return [];
  if (typeof role !== 'object') return idIssues(AT, role);
  if (!isObject(role)) return [wrongTypeAt(AT, 'object', role)];
  const path = [...AT, 'connect'];
  if (role.connect === undefined) return [issueAt(path, undefined, `${printPath(path)} is a required field`)];
  return [...listIssues(path, role.connect, ({ length }) => (length === 0 ? NO_ROLE : undefined)), ...emptied(role)];
}

/** The role of a user may be left as it is or replaced, but not removed. */
export function changedRoleIssues(role: unknown): readonly Issue[] {
  if (role === undefined) return [];
  if (typeof role !== 'object') return idIssues(AT, role);
  if (!isObject(role)) return [wrongTypeAt(AT, 'object', role)];
  const { connect, disconnect } = role;
  const connects = Boolean(connect) && !(Array.isArray(connect) && connect.length === 0);
  const connected = connect === undefined ? [] : listIssues([...AT, 'connect'], connect, () => undefined);
  const removes = (list: readonly unknown[]) => (list.length > 0 && !connects ? 'Cannot remove role' : undefined);
  const removed = disconnect === undefined ? [] : listIssues([...AT, 'disconnect'], disconnect, removes);
  return [...connected, ...removed, ...emptied(role)];
}
