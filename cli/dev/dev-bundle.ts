/**
 * @module Which bundle a Worker of `npm run dev` has, and how wrangler takes it.
 */
import { resolve } from 'node:path';
import { sha256 } from '../../src/common/digest.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import type { DevBundle } from '../project/project-file.ts';
import { hasAssets } from '../project/warnings.ts';

/** Each local database has one of its own, since several may be served at once. */
export function devBundle(root: string, { persistTo }: Pick<Target, 'persistTo'>): DevBundle {
  const name = persistTo === undefined ? 'dev' : `dev-${sha256(resolve(root, persistTo)).slice(0, 8)}`;
  return { name, condition: `edgewise-${name}` };
}

export const devAssets = ({ name }: DevBundle): string => `.edgewise/${name}/assets`;

/** Options of wrangler; its Worker has assets only where wrangler.toml says so. */
export const devArgs = (root: string, bundle: DevBundle): readonly string[] =>
  hasAssets(root) ? ['--assets', devAssets(bundle)] : [];

/** wrangler's own conditions, without which packages would be those of Node. */
const CONDITIONS = 'workerd,worker,browser';

/** Environment variables of wrangler. */
export const devVariables = ({ condition }: DevBundle): Readonly<Record<string, string>> => ({
  WRANGLER_BUILD_CONDITIONS: `${condition},${process.env.WRANGLER_BUILD_CONDITIONS ?? CONDITIONS}`,
});
