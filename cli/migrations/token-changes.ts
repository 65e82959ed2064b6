/**
 * @module Migrates the permissions of API tokens, which name content types: `api::article.article.find`, alone or as the action
 * of a grant with conditions. Patterns such as `api::*.find` name none.
 */
import { identifier, literal } from '../core/sql/sql-text.ts';

const TOKENS = identifier('strapi_api_tokens');
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
