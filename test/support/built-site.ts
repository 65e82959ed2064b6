/**
 * @module A site of a guide, in a folder of its own, with a stand-in for the API that shows a draft to a token.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** @param draft the title that callers with the token read. @param more environment variables of its commands */
export async function makeSite(
  name: string,
  files: Readonly<Record<string, string>>,
  draft: string,
  more: Readonly<Record<string, string>>,
) {
  const folder = mkdtempSync(join(tmpdir(), `edgewise-${name}-`));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const api = createServer(({ url = '', headers }, response) => {
    const isDraft = url.includes('status=draft') && headers.authorization === 'Bearer preview_x';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: [{ title: isDraft ? draft : 'Published' }] }));
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const { port } = api.address() as AddressInfo;
  const env = { ...process.env, API_URL: `http://127.0.0.1:${port}`, NODE_ENV: 'production' as const, ...more };
  return {
    folder,
    env,
    /** @throws Error where the command fails */
    run: (command: string, ...args: readonly string[]) =>
      execFileSync(command, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] }),
    remove(): void {
      api.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type BuiltSite = Awaited<ReturnType<typeof makeSite>>;
