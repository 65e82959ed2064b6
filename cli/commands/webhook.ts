/**
 * @module `edgewise webhook`: lists, tests and resumes webhooks, and retries messages.
 */
import type { Command } from 'commander';
import { locked } from './locked.ts';
import { withJson, withTarget } from './options.ts';

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('Webhooks of this deployment.');
  const aboutUrl = (name: string, description: string): Command =>
    withTarget(
      webhook.command(name).description(description).argument('[url]', 'of the webhook; without it, all webhooks'),
    );

  withJson(
    withTarget(
      webhook
        .command('list')
        .description('Lists webhooks: those that fail, what is waiting, what was given up and why.'),
    ),
  ).action(async (flags) => (await import('../webhook/webhook.ts')).listWebhooks(process.cwd(), flags));

  aboutUrl('test', 'Sends a message with the event trigger-test.').action(async (url, target) =>
    (await import('../webhook/webhook.ts')).testWebhooks(process.cwd(), url, target),
  );

  aboutUrl('retry', 'Sends messages again that were given up.').action((url, target, command) =>
    locked(command, async () => (await import('../webhook/webhook.ts')).retryWebhooks(process.cwd(), url, target)),
  );

  aboutUrl('resume', 'Calls webhooks again that were paused.').action((url, target, command) =>
    locked(command, async () => (await import('../webhook/webhook.ts')).resumeWebhooks(process.cwd(), url, target)),
  );
}
