/**
 * @module Warns of attributes that became required: documents without a value can no longer be published.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { hasComponents, isLinkAttribute, isOwner, isScalar, ownedTable } from '../../src/schema/attribute-kinds.ts';
import type { Attribute, ContentType, Registry } from '../../src/schema/model.ts';
import { counted } from '../core/counted.ts';
import { readValue } from '../core/read-value.ts';
import { identifier } from '../core/sql/sql-text.ts';
import type { Run } from '../core/sql/statements.ts';
import { storedText } from '../migrations/layout.ts';
import { META, readJson } from '../migrations/revisions.ts';

export const REQUIRED = `${META}/_required.json`;

const required = z.readonly(z.record(z.string(), z.readonly(z.array(z.string()))));

/** uid → names of the required attributes, of types with drafts. */
export type Required = z.infer<typeof required>;

const isRequired = (attribute: Attribute): boolean => attribute.required && attribute.visible === undefined;

export const requiredOf = ({ contentTypes }: Registry): Required =>
  Object.fromEntries(
    [...contentTypes.values()]
      .filter(({ draftAndPublish }) => draftAndPublish)
      .map(({ uid, attributes }) => [uid, [...attributes.values()].filter(isRequired).map(({ name }) => name)]),
  );

/** The required attributes of the last `npx edgewise generate`; undefined before the first. @throws UserError for a damaged file. */
export const readRequired = (root: string): Required | undefined =>
  existsSync(join(root, REQUIRED)) ? readValue(required, readJson(root, REQUIRED), REQUIRED) : undefined;

/** SQL for drafts without a value; undefined if the attribute stores none. */
function lacksValue({ table }: ContentType, attribute: Attribute): string | undefined {
  const row = identifier(table);
  if (isScalar(attribute)) return `${storedText(attribute).replaceAll('@', row)} IS NULL`;
  if (hasComponents(attribute)) return `coalesce(${row}.${identifier(attribute.column)}, '[]') = '[]'`;
  if (!isLinkAttribute(attribute) || !isOwner(attribute)) return undefined;
  const links = identifier(ownedTable(table, attribute));
  return `NOT EXISTS (SELECT 1 FROM ${links} WHERE "source_document_id" = ${row}."document_id" AND "source_locale" = ${row}."locale" AND "status" = 'draft')`;
}

const countDrafts = ({ table }: ContentType, condition = 'true'): string =>
  `SELECT count(DISTINCT "document_id") AS "rows" FROM ${identifier(table)} WHERE "published_at" IS NULL AND ${condition}`;

/** Counts the documents without a value. A database without the attribute has none for any document. */
async function documentsWithout(type: ContentType, attribute: Attribute, run: Run): Promise<number | undefined> {
  const condition = lacksValue(type, attribute);
  if (condition === undefined) return undefined;
  const count = async (sql: string) => Number((await run([sql]))[0]?.[0]?.rows);
  return count(countDrafts(type, condition)).catch(() => count(countDrafts(type)).catch(() => undefined));
}

/**
 * Returns a warning for each attribute that became required of a type that existed before.
 * @param run runs SQL in the local database; absent without one
 */
export async function requiredWarnings(before: Required | undefined, registry: Registry, run: Run | undefined) {
  const warnings: string[] = [];
  for (const [uid, names] of Object.entries(requiredOf(registry))) {
    const type = registry.contentTypes.get(uid);
    for (const name of names.filter((each) => before?.[uid]?.includes(each) === false)) {
      const attribute = type?.attributes.get(name);
      const count = type && attribute && run ? await documentsWithout(type, attribute, run) : undefined;
      if (count === 0) continue;
      const number =
        count === undefined
          ? 'there is no local database to count them'
          : `${counted(count, 'document')} of the local database`;
      warnings.push(`${uid}.${name} is required now. Documents without it cannot be published any more (${number})`);
    }
  }
  return warnings;
}
