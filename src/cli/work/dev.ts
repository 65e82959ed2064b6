/**
 * @module What `edgewise dev` does: from a fresh clone to a server with content.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeText } from '../core/disk.ts';
import { progress } from '../core/terminal.ts';
import { type DevFlags, serve } from '../dev/serve.ts';

const SECRETS = '.dev.vars';

function ensureSecrets(root: string): void {
  const path = join(root, SECRETS);
  if (existsSync(path)) return;
  writeText(path, `JWT_SECRET=${randomBytes(32).toString('hex')}\n`, 0o600);
  progress(`wrote ${SECRETS} with random secrets`);
}

export async function serveProject(root: string, flags: DevFlags): Promise<void> {
  ensureSecrets(root);
  process.exitCode = await serve(root, flags);
}
