/**
 * @module The tables of any content model for tests in workerd: drizzle-kit makes them, as for a migration, and runs in
 * Node only. So tests ask for them through a service binding, which vitest.config.ts answers in Node.
 */

import { registryFrom } from './registry-text.ts';
import { createSchemaSql } from './schema-sql.ts';

const made = new Map<string, Promise<readonly string[]>>();

/** Every statement that an empty database needs for a registry, which the body is the text of. */
export async function answerSchema(request: { text(): Promise<string> }): Promise<Response> {
  const text = await request.text();
  const statements = made.get(text) ?? createSchemaSql(registryFrom(text));
  made.set(text, statements);
  return Response.json(await statements);
}
