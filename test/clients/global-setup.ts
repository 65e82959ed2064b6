/**
 * @module One server for all tests of clients. It starts beside the first tests of other projects, and whoever needs it
 * waits.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installClients } from './install.ts';
import { serveDemo } from './served-demo.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A file with `Served` as JSON, once it is there. */
    readonly served: string;
  }
}

/** Where the server is, or why it did not start. */
export type Served = { readonly url: string; readonly token: string } | { readonly error: string };

export default function setup(project: TestProject): () => Promise<void> {
  installClients();
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-clients-'));
  const file = join(folder, 'served.json');
  const tell = (served: Served) => {
    writeFileSync(`${file}.new`, JSON.stringify(served));
    renameSync(`${file}.new`, file);
  };
  const server = serveDemo();
  server.then(
    ({ url, token }) => tell({ url, token }),
    (error) => tell({ error: String(error) }),
  );
  project.provide('served', file);
  return async () => {
    rmSync(folder, { recursive: true });
    await (await server).stop();
  };
}
