/**
 * @module `npm run dev`: from a fresh clone to a server with content, in one command.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { HOST } from '../dev/gate.ts';
import { serve } from '../dev/serve.ts';
import { writeText } from '../project/disk.ts';
import { progress, run, UserError } from '../terminal.ts';

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly persistTo?: string;
}

const SECRETS = '.dev.vars';

function ensureSecrets(root: string): void {
  const path = join(root, SECRETS);
  if (existsSync(path)) return;
  writeText(path, `JWT_SECRET=${randomBytes(32).toString('hex')}\n`, 0o600);
  progress(`wrote ${SECRETS} with random secrets`);
}

/** npm keeps options for itself that stand before `--`. */
function refuseLostOptions(): void {
  for (const option of ['port', 'host', 'persist-to']) {
    const value = process.env[`npm_config_${option.replaceAll('-', '_')}`];
    if (value !== undefined)
      throw new UserError(`npm has kept --${option} for itself; write: npm run dev -- --${option} ${value}`);
  }
}

async function dev(root: string, { port, host, persistTo }: Flags): Promise<void> {
  refuseLostOptions();
  ensureSecrets(root);
  process.exitCode = await serve(root, { port, host }, persistTo === undefined ? {} : { persistTo });
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new InvalidArgumentError('expected 1 to 65535.');
  return port;
}

if (import.meta.main)
  await new Command('npm run dev --')
    .description('Serves on a local database that follows the files, with the demo content the first time.')
    .option('--port <n>', 'port of the server', portOf, 8787)
    .option('--host <address>', 'address to listen on; 0.0.0.0: every one, so that other machines reach it', HOST)
    .option('--persist-to <dir>', 'folder of the local database, in place of .wrangler/state')
    .action((flags: Flags) => run(() => dev(process.cwd(), flags)))
    .parseAsync();
