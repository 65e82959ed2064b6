/**
 * @module Migrates the permissions of API tokens, which name content types: `api::article.article.find`, alone or as the action
 * of a grant with conditions. Patterns such as `api::*.find` name none. Conditions name attributes, too.
 */
import { identifier, literal } from '../core/sql/sql-text.ts';
import type { AttributeRename } from './rename-options.ts';

/** The table of tokens, quoted. */
export const TOKENS = identifier('strapi_api_tokens');
const LIST = '"permissions"';

/** Statements, given the former and the new uids, so that types may exchange theirs. */
export function renamePermissions(renamed: readonly (readonly [from: string, to: string])[]): readonly string[] {
  // No action begins with it.
  const mark = '=';
  const begin = (uid: string) => `"${uid}.`;
  const marked = renamed.map(([from, to]) => [begin(from), begin(`${mark}${to}`)] as const);
  const settled = renamed.map(([, to]) => [begin(`${mark}${to}`), begin(to)] as const);
  return [...marked, ...settled].map(
    ([from, to]) =>
      `UPDATE ${TOKENS} SET ${LIST} = replace(${LIST}, ${literal(from)}, ${literal(to)}) WHERE instr(${LIST}, ${literal(from)}) > 0`,
  );
}

/** A statement that removes the permissions for a type. A later one of its uid would have them. */
export function removePermissions(uid: string): string {
  const begin = `${uid}.`;
  const isOf = (action: string) => `substr(${action}, 1, ${begin.length}) = ${literal(begin)}`;
  const grant = '"entry"."value"';
  const action = `${grant} -> '$.action'`;
  const others = `(SELECT json_group_array("value" ORDER BY "key") FROM json_each(${action}) WHERE NOT ${isOf('"value"')})`;
  const kept = `CASE "entry"."type" WHEN 'text' THEN iif(${isOf(grant)}, NULL, json_quote(${grant})) ELSE CASE json_type(${grant}, '$.action') WHEN 'text' THEN iif(${isOf(`(${grant} ->> '$.action')`)}, NULL, ${grant}) ELSE iif(${others} = '[]', NULL, json_set(${grant}, '$.action', json(${others}))) END END`;
  const list = `SELECT json_group_array(json("kept") ORDER BY "key") FROM (SELECT "entry"."key", ${kept} AS "kept" FROM json_each(${LIST}) AS "entry") WHERE "kept" IS NOT NULL`;
  return `UPDATE ${TOKENS} SET ${LIST} = (${list}) WHERE json_valid(${LIST}) AND instr(${LIST}, ${literal(`"${begin}`)}) > 0`;
}

/** Keys of a grant and operators of a filter: what stands before an attribute of the grant's own type. */
const BEFORE_OWN = ['where', 'validate', 'set', '$and', '$or', '$not'];

const GRANT = '"entry"."value"';

/** Conditions about the grant of `GRANT` and an attribute. */
function conditionsAbout({ type, from }: AttributeRename) {
  const begin = `${type}.`;
  const actions = `json_each(iif(json_type(${GRANT}, '$.action') = 'array', ${GRANT} -> '$.action', json_array(${GRANT} ->> '$.action')))`;
  const isAction = `substr("action"."value", 1, ${begin.length}) = ${literal(begin)}`;
  const above = BEFORE_OWN.reduce((path, key) => `replace(${path}, ${literal(key)}, '')`, '"node"."path"');
  const nodes = `SELECT 1 FROM json_tree(${GRANT}) AS "node" WHERE "node"."key" = ${literal(from)}`;
  return {
    /** Are all its actions of the type? */
    isOfType: `NOT EXISTS (SELECT 1 FROM ${actions} AS "action" WHERE NOT ${isAction})`,
    /** Is one of its actions of the type, or a pattern that may be? */
    mayBeOfType: `EXISTS (SELECT 1 FROM ${actions} AS "action" WHERE ${isAction} OR instr("action"."value", '*') > 0)`,
    /** Does it name the attribute? */
    isNamed: `(EXISTS (${nodes}) OR EXISTS (SELECT 1 FROM json_each(${GRANT}, '$.fields') AS "field" WHERE "field"."value" = ${literal(from)}))`,
    /** Does it name an attribute of a relation or a component so? */
    isNamedBehind: `EXISTS (${nodes} AND ${above} GLOB '*[a-zA-Z]*')`,
  };
}

/** Tokens whose permissions have the name. */
const tokensWith = (name: string): string => `json_valid(${LIST}) AND instr(${LIST}, ${literal(`"${name}"`)}) > 0`;

/**
 * A statement that renames an attribute of a content type in the conditions, values and fields of grants whose actions are of that
 * type alone. A grant that also names an attribute of a relation so is left as it is: it gives nothing then.
 */
export function renameInConditions(rename: AttributeRename): string {
  const { from, to } = rename;
  const { isOfType, isNamedBehind } = conditionsAbout(rename);
  const [key, renamed] = [literal(`"${from}":`), literal(`"${to}":`)];
  const fields = `(SELECT json_group_array(iif("value" = ${literal(from)}, ${literal(to)}, "value") ORDER BY "key") FROM json_each(${GRANT} -> '$.fields'))`;
  const conditions = `replace(json(${GRANT}), ${key}, ${renamed})`;
  const changed = `iif(json_type(${GRANT}, '$.fields') = 'array', json_set(${conditions}, '$.fields', json(${fields})), ${conditions})`;
  const kept = `CASE WHEN "entry"."type" = 'object' THEN iif(${isOfType} AND NOT ${isNamedBehind}, ${changed}, ${GRANT}) ELSE json_quote(${GRANT}) END`;
  const list = `SELECT json_group_array(json(${kept}) ORDER BY "entry"."key") FROM json_each(${LIST}) AS "entry"`;
  return `UPDATE ${TOKENS} SET ${LIST} = (${list}) WHERE ${tokensWith(from)}`;
}

/** A statement that counts the tokens with grants that may name the attribute and that `renameInConditions` leaves as they are. */
export function countUnrenamed(rename: AttributeRename): string {
  const { isOfType, mayBeOfType, isNamed, isNamedBehind } = conditionsAbout(rename);
  const isLeft = `${isNamedBehind} OR (${isNamed} AND ${mayBeOfType} AND NOT ${isOfType})`;
  const grants = `SELECT 1 FROM json_each(${LIST}) AS "entry" WHERE CASE "entry"."type" WHEN 'object' THEN ${isLeft} ELSE 0 END`;
  return `SELECT count(*) AS "rows" FROM ${TOKENS} WHERE ${tokensWith(rename.from)} AND EXISTS (${grants})`;
}
