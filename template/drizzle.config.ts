/**
 * @module What drizzle-kit reads: the generated tables, their snapshots, and the local database for `drizzle-kit studio`.
 * Migrations are made by `npx edgewise generate`.
 */
import { globSync } from 'node:fs';
import { defineConfig } from 'drizzle-kit';

const databases = globSync('.wrangler/state/v3/d1/*/*.sqlite').filter((path) => !path.endsWith('metadata.sqlite'));

export default defineConfig({
  dialect: 'sqlite',
  schema: './drizzle/schema.ts',
  out: './drizzle',
  dbCredentials: { url: databases[0] ?? ':memory:' },
});
