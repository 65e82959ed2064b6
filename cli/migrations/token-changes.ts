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

/**
 * A statement that renames an attribute of a content type in the conditions, values and fields of grants whose actions are of that
 * type alone. A grant that also names an attribute of a relation so is left as it is: it gives nothing then.
 */
export function renameInConditions({ type, from, to }: AttributeRename): string {
  const grant = '"entry"."value"';
  const begin = `${type}.`;
  const actions = `json_each(iif(json_type(${grant}, '$.action') = 'array', ${grant} -> '$.action', json_array(${grant} ->> '$.action')))`;
  const isOf = `NOT EXISTS (SELECT 1 FROM ${actions} AS "action" WHERE substr("action"."value", 1, ${begin.length}) <> ${literal(begin)})`;
  const above = BEFORE_OWN.reduce((path, key) => `replace(${path}, ${literal(key)}, '')`, '"node"."path"');
  const isOther = `EXISTS (SELECT 1 FROM json_tree(${grant}) AS "node" WHERE "node"."key" = ${literal(from)} AND ${above} GLOB '*[a-zA-Z]*')`;
  const [key, renamed] = [literal(`"${from}":`), literal(`"${to}":`)];
  const fields = `(SELECT json_group_array(iif("value" = ${literal(from)}, ${literal(to)}, "value") ORDER BY "key") FROM json_each(${grant} -> '$.fields'))`;
  const conditions = `replace(json(${grant}), ${key}, ${renamed})`;
  const changed = `iif(json_type(${grant}, '$.fields') = 'array', json_set(${conditions}, '$.fields', json(${fields})), ${conditions})`;
  const kept = `CASE WHEN "entry"."type" = 'object' THEN iif(${isOf} AND NOT ${isOther}, ${changed}, ${grant}) ELSE json_quote(${grant}) END`;
  const list = `SELECT json_group_array(json(${kept}) ORDER BY "entry"."key") FROM json_each(${LIST}) AS "entry"`;
  return `UPDATE ${TOKENS} SET ${LIST} = (${list}) WHERE json_valid(${LIST}) AND instr(${LIST}, ${literal(`"${from}"`)}) > 0`;
}
