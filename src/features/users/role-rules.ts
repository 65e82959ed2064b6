/**
 * @module Validates the role in a body of `/api/users`, in Strapi's words: an id, or an object that connects one.
 */
import type { Issue } from '../../common/errors.ts';
import { isObject, type JsonObject } from '../../common/json.ts';
import { isMixed } from '../../content/plan/relations/relation-input.ts';
import { printPath, wrongType } from '../../content/plan/validate/issues.ts';
import { mixedIssue } from '../../content/plan/validate/mixed-relations.ts';

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

/** Strapi's type `strapiID`: any text, or a non-negative integer. */
const isId = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value) && value >= 0);

const idIssues = (path: Path, value: unknown): readonly Issue[] =>
  isId(value) ? [] : [wrongTypeAt(path, 'strapiID', value)];

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function entryIssues(path: Path, entry: unknown): readonly Issue[] {
  if (!isObject(entry)) return [wrongTypeAt(path, 'object', entry)];
  const inner = ['id', 'documentId']
    .filter((name) => entry[name] !== undefined)
    .flatMap((name) => idIssues([...path, name], entry[name]));
  const isNamed = isGiven(entry.id) || isGiven(entry.documentId);
  return isNamed ? inner : [...inner, issueAt(path, entry, 'Relation entry must include an id or documentId')];
}

/** @param message of the list as a whole, which Strapi reports after its entries */
function listIssues(path: Path, list: unknown, message?: string): readonly Issue[] {
  if (!Array.isArray(list)) return [wrongTypeAt(path, 'array', list)];
  const entries = list.flatMap((entry, index) => entryIssues([...path, String(index)], entry));
  return message === undefined ? entries : [...entries, issueAt(path, list, message)];
}

/**
 * Rejects a `set` that removes the role, unlike Strapi.
 * @param isStrict is `set` rejected beside `connect` or `disconnect`, and does `null` remove, too? In Strapi it keeps the role
 */
function setIssues(role: JsonObject, isStrict: boolean): readonly Issue[] {
  if (!Object.hasOwn(role, 'set') || (role.set === null && !isStrict)) return [];
  const isEmptied = [role.set].flat(Number.POSITIVE_INFINITY).every((item) => !isGiven(item) || item === false);
  if (isEmptied) return [issueAt([...AT, 'set'], role.set, NO_ROLE)];
  return isStrict && isMixed(role) ? [mixedIssue(AT)] : [];
}

/** Checks an id, or an object by its own rules. The schema of the body checks whether a role is required. */
function roleIssues(role: unknown, issuesOf: (role: JsonObject) => readonly Issue[]): readonly Issue[] {
  if (role === undefined) return [];
  if (typeof role !== 'object') return idIssues(AT, role);
  return isObject(role) ? issuesOf(role) : [wrongTypeAt(AT, 'object', role)];
}

/** A new user needs a role; `''` and `0` stand for that of the settings. @param isStrict as in `setIssues` */
export const newRoleIssues = (role: unknown, isStrict: boolean): readonly Issue[] =>
  roleIssues(role, (given) => {
    const path = [...AT, 'connect'];
    if (given.connect === undefined) return [issueAt(path, undefined, `${printPath(path)} is a required field`)];
    const message = isEmptyList(given.connect) ? NO_ROLE : undefined;
    return [...listIssues(path, given.connect, message), ...setIssues(given, isStrict)];
  });

/** The role of a user may be kept or replaced, but not removed. @param isStrict as in `setIssues` */
export const changedRoleIssues = (role: unknown, isStrict: boolean): readonly Issue[] =>
  roleIssues(role, (given) => {
    const { connect, disconnect } = given;
    const removes = !isEmptyList(disconnect) && (!connect || isEmptyList(connect));
    const message = removes ? 'Cannot remove role' : undefined;
    return [
      ...(connect === undefined ? [] : listIssues([...AT, 'connect'], connect)),
      ...(disconnect === undefined ? [] : listIssues([...AT, 'disconnect'], disconnect, message)),
      ...setIssues(given, isStrict),
    ];
  });
