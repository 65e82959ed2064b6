/**
 * @module The secrets of a deployed Worker.
 */
import { envArgs, jsonOf, type Target, type Wrangler } from './wrangler.ts';

/** Returns the names of the Worker's secrets; undefined if there is no Worker yet. */
export async function secretNames(target: Target, execute: Wrangler): Promise<readonly string[] | undefined> {
  const done = await execute(['secret', 'list', '--format', 'json', ...envArgs(target)]);
  if (done.code !== 0 && /Worker ".*" .*not found/.test(done.stdout + done.stderr)) return undefined;
  const secrets = jsonOf('Listing the secrets', done) as readonly { readonly name: string }[];
  return secrets.map(({ name }) => name);
}
