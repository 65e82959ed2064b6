/**
 * @module The environments of wrangler.toml.
 */
import { UserError } from '../terminal.ts';
import { CONFIG } from './wrangler.ts';
import { experimental_readRawConfig } from './wrangler-module.ts';

/**
 * Without any environment in its file, wrangler would take a wrong name for what stands outside of all.
 * @throws UserError for a name that wrangler.toml does not have.
 */
export function assertEnvironment(name: string): void {
  const names = Object.keys(experimental_readRawConfig({ config: CONFIG }).rawConfig.env ?? {});
  if (names.includes(name)) return;
  const others = names.length > 0 ? names.join(', ') : 'no environments';
  throw new UserError(`--env: ${CONFIG} has no [env.${name}]; it has ${others}`);
}
