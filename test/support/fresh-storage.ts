/**
 * @module Test files share one Worker, and each begins with modules that remember nothing, an empty database and an
 * empty bucket.
 */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

vi.resetModules();

const ATTEMPTS = 50;

/** A table of the last file that is still there: its database may be in use for a moment. */
const leftTable = (): Promise<unknown> =>
  env.DB.prepare(`select name from sqlite_master where name not like '\\_cf\\_%' escape '\\' limit 1`).first('name');

/** An object of the last file that is still there, or was written by work that went on after its last response. */
const leftObject = async (): Promise<string | undefined> => (await env.MEDIA.list({ limit: 1 })).objects[0]?.key;

for (let attempt = 1; ; attempt++) {
  await reset();
  const left = (await leftTable()) ?? (await leftObject());
  if (left === undefined) break;
  if (attempt === ATTEMPTS) throw new Error(`The storage of the last test file still has ${left}`);
  await scheduler.wait(20);
}
