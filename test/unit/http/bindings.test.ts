/**
 * @module The lines of wrangler.toml for a missing binding.
 */
import { describe, expect, it } from 'vitest';
import { isProblem } from '../../../src/common/errors.ts';
import { bindingOf, missingBinding } from '../../../src/http/bindings.ts';

describe('a missing binding', () => {
  it.each([
    ['DB', 'd1_databases', ['database_name = "<name>"', 'migrations_dir = "drizzle"']],
    ['MEDIA', 'r2_buckets', ['bucket_name = "<name>-media"']],
    ['PRIVATE_MEDIA', 'r2_buckets', ['bucket_name = "<name>-private"']],
  ] as const)('%s is declared by its lines', (name, section, lines) => {
    const first = `wrangler.toml has no binding ${name}; add these lines, with the name on its first line for <name>:`;
    const declared = [`binding = "${name}"`, ...lines];
    expect(missingBinding(name).split('\n')).toEqual([first, `[[${section}]]`, ...declared]);
    expect(missingBinding(name, 'staging').split('\n')).toEqual([first, `[[env.staging.${section}]]`, ...declared]);
  });

  it('is a 503 whose cause is logged', () => {
    const env = { DB: {} } as Env;
    expect(bindingOf(env, 'DB')).toBe(env.DB);
    const isNotReady = expect.toSatisfy((error: Error) => isProblem(error, 'not-ready') && error.cause !== undefined);
    expect(() => bindingOf(env, 'MEDIA')).toThrow(isNotReady);
  });
});
