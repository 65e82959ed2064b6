/**
 * @module `edgewise webhook`: lists, tests and resumes webhooks, and retries messages.
 */
import { Command } from 'commander';
import type { Target } from '../core/wrangler/wrangler.ts';
import type { ListFlags } from '../work/webhook.ts';
import { withJson, withTarget } from './options.ts';

const list = (): Command =>
  withJson(
    withTarget(
      new Command('list').description('Lists webhooks: those that fail, what is waiting, what was given up and why.'),
    ),
  ).action(async (flags: ListFlags) => (await import('../work/webhook.ts')).listWebhooks(process.cwd(), flags));

const action = (
  name: 'test' | 'retry' | 'resume',
  description: string,
  run: (
    work: typeof import('../work/webhook.ts'),
  ) => (root: string, url: string | undefined, target: Target) => Promise<void>,
): Command =>
  withTarget(
    new Command(name).description(description).argument('[url]', 'of the webhook; without it, all webhooks'),
  ).action(async (url: string | undefined, target: Target) =>
    run(await import('../work/webhook.ts'))(process.cwd(), url, target),
  );

export const webhook = (): Command =>
  new Command('webhook')
    .description('Webhooks of this deployment.')
    .addCommand(list())
    .addCommand(action('test', 'Sends a message with the event trigger-test.', ({ testWebhooks }) => testWebhooks))
    .addCommand(action('retry', 'Sends messages again that were given up.', ({ retryWebhooks }) => retryWebhooks))
    .addCommand(action('resume', 'Calls webhooks again that were paused.', ({ resumeWebhooks }) => resumeWebhooks));
