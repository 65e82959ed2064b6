/**
 * @module The bindings that every deployment needs: the database and the bucket of files.
 */
import { notReady } from '../common/errors.ts';

export type NeededBinding = 'DB' | 'MEDIA';

/** The section of wrangler.toml that declares a binding, and the lines after its name. */
const SECTIONS: Readonly<Record<NeededBinding | 'PRIVATE_MEDIA', readonly [section: string, ...lines: string[]]>> = {
  DB: ['d1_databases', 'database_name = "<name>"', 'migrations_dir = "drizzle"'],
  MEDIA: ['r2_buckets', 'bucket_name = "<name>-media"'],
  PRIVATE_MEDIA: ['r2_buckets', 'bucket_name = "<name>-private"'],
};

/**
 * Returns the sentence about a missing binding, and the lines that declare it.
 * @param env an environment of wrangler.toml, which inherits no bindings
 */
export function missingBinding(name: keyof typeof SECTIONS, env?: string): string {
  const [section, ...lines] = SECTIONS[name];
  const path = env === undefined ? section : `env.${env}.${section}`;
  return [
    `wrangler.toml has no binding ${name}; add these lines, with the name on its first line for <name>:`,
    `[[${path}]]`,
    `binding = "${name}"`,
    ...lines,
  ].join('\n');
}

/** @throws ApiError 503 without the binding; the log has the lines for wrangler.toml */
export function bindingOf<N extends NeededBinding>(env: Env, name: N): Env[N] {
  // The generated types say what the wrangler.toml of this project has.
  const binding: Env[N] | undefined = env[name];
  if (binding === undefined) throw notReady(missingBinding(name));
  return binding;
}
