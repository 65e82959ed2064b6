/**
 * @module How to make the first user of a project.
 */
import type { Settings } from '../../src/schema/settings/config.ts';

/** The role that a first user is to have: that of an editor, or the first one of signed-in users. */
function firstRole({ roles }: Pick<Settings, 'roles'>): string | undefined {
  const names = Object.keys(roles).filter((name) => name !== 'public');
  return names.includes('editor') ? 'editor' : names[0];
}

/** Returns the command that makes the first user. @param options such as `--remote` */
export function firstUserCommand(settings: Pick<Settings, 'roles'>, options: readonly string[] = []): string {
  const role = firstRole(settings);
  const roleOption = role === undefined ? [] : ['--role', role];
  return ['npx edgewise user create --email you@example.com', ...roleOption, ...options].join(' ');
}
