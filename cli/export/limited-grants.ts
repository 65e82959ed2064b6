/**
 * @module Grants with conditions, which Strapi lacks: without them, a permission of a role allows more than it does here.
 */
import { isOwnAction, roleActions, roleGrants } from '../../src/access/grants.ts';
import type { Rule } from '../../src/access/rule.ts';
import { rolesOf } from '../../src/content/credentials/roles.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { listed } from '../core/counted.ts';
import { print } from '../core/terminal.ts';

interface LimitedGrant {
  readonly role: string;
  readonly action: string;
  /** What it is limited to. */
  readonly limits: readonly string[];
}

const limitsOf = ({ where, fields, set, validate, status }: Rule): readonly string[] => [
  ...(where ? ['some documents (where)'] : []),
  ...(validate ? ['some bodies (validate)'] : []),
  ...(fields ? ['some attributes (fields)'] : []),
  ...(set ? ['some values (set)'] : []),
  ...(status ? ['drafts (status)'] : []),
];

/** Returns the grants that Strapi cannot express. @param settings whose grants name their actions */
export const limitedGrants = (settings: Settings): readonly LimitedGrant[] =>
  rolesOf(settings).flatMap(({ type: role }) => {
    const { rule } = roleGrants(settings, role);
    return roleActions(settings, role).flatMap((action) => {
      const found = isOwnAction(action) ? undefined : rule?.(action);
      return found ? [{ role, action, limits: limitsOf(found) }] : [];
    });
  });

/** Prints each grant with what it is limited to; nothing without grants. */
export function printLimitedGrants(limited: readonly LimitedGrant[], isPlain: boolean): void {
  if (limited.length === 0) return;
  print(
    isPlain
      ? 'Permissions without the conditions that they have here, so that roles may do more in Strapi:'
      : 'Left out of roles, since Strapi has no conditions of permissions (--grants plain exports them without):',
  );
  for (const { role, action, limits } of limited) print(`  ${role}: ${action}, limited to ${listed(limits)}`);
}
