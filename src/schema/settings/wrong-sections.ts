/**
 * @module Which sections of wrong settings are wrong, so that the others can be checked further.
 */
import { settingsSchema } from './config.ts';
import { withStrapiDefaults } from './strapi-compatibility.ts';

/** Returns the names of the sections that something is wrong with, and unknown ones. */
export function wrongSections(input: unknown): ReadonlySet<string> {
  const issues = settingsSchema.safeParse(withStrapiDefaults(input)).error?.issues ?? [];
  return new Set(
    issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [String(issue.path[0])],
    ),
  );
}
