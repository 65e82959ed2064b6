/**
 * @module An app over any content model, in process, on the D1 of the test.
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { createApp } from '../../src/app.ts';
import { parseSettings, type SettingsInput } from '../../src/config.ts';
import type { Registry } from '../../src/registry/model.ts';
import { buildTables } from '../../src/sql/tables.ts';
import type { EmailSender } from '../../src/users/email.ts';

/** Tests sign in more often than anybody may. */
const UNLIMITED: SettingsInput = { rateLimit: { auth: { enabled: false } } };

export type Send = (path: string, init?: RequestInit) => Promise<Response>;

const urlOf = (path: string): string => (path.startsWith('http') ? path : `http://edgewise.test${path}`);

/** Sends requests to an app with this model and these settings; `bindings` may replace what the Worker is given. */
export function serveRegistry(
  registry: Registry,
  settings: SettingsInput = {},
  bindings: Partial<Env> = {},
  emailSender?: EmailSender,
): Send {
  const app = createApp({
    registry,
    settings: parseSettings({ ...UNLIMITED, ...settings }),
    ...(emailSender && { emailSender }),
  });
  return async (path, init) => {
    const context = createExecutionContext();
    const response = await app.fetch(new Request(urlOf(path), init), { ...env, ...bindings }, context);
    await waitOnExecutionContext(context);
    return response;
  };
}

function createTable(table: SQLiteTable): string {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const definitions = columns.map((column) => {
    const key = column.primary ? ' primary key autoincrement' : '';
    const locale = column.name === 'locale' ? " not null default ''" : '';
    return `"${column.name}" ${column.getSQLType()}${key}${locale}`;
  });
  const keys = primaryKeys.map(
    ({ columns: of }) => `primary key (${of.map((column) => `"${column.name}"`).join(', ')})`,
  );
  return `create table if not exists "${name}" (${[...definitions, ...keys].join(', ')})`;
}

/** Makes the tables of a model that no migration was generated for, without their indexes. */
export async function createRegistryTables(registry: Registry): Promise<void> {
  await env.DB.batch(Object.values(buildTables(registry)).map((table) => env.DB.prepare(createTable(table))));
}
