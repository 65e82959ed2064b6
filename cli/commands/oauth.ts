/**
 * @module `edgewise oauth`: lists what users let clients do, and revokes it.
 */
import type { Command } from 'commander';
import { locked } from './locked.ts';
import { withJson, withTarget } from './options.ts';

export function addOAuthCommands(program: Command): void {
  const oauth = program.command('oauth').description('Clients that users have connected to /mcp.');

  withJson(
    withTarget(oauth.command('list').description('Lists who lets which client do what, and when it was last used.')),
  ).action(async (flags) => (await import('../oauth/oauth.ts')).listGrants(flags));

  withTarget(
    oauth
      .command('revoke')
      .description('Disconnects a client of a user; its tokens are rejected at once.')
      .argument('<id>', 'of the grant, as the list has it'),
  ).action((id, target, command) =>
    locked(command, async () => (await import('../oauth/oauth.ts')).revokeGrant(id, target)),
  );
}
