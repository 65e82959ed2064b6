/**
 * @module One server for all tests of clients. It starts beside the first tests of other projects, and whoever needs it
 * waits.
 */
import type { TestProject } from 'vitest/node';
import { lateValue } from '../support/late-value.ts';
import { installClients } from './install.ts';
import { serveDemo } from './served-demo.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A file with `Served`, for `readLate`. */
    readonly served: string;
  }
}

export interface Served {
  readonly url: string;
  readonly token: string;
}

export default function setup(project: TestProject): () => Promise<void> {
  installClients();
  const server = serveDemo();
  const { file, remove } = lateValue(server.then(({ url, token }): Served => ({ url, token })));
  project.provide('served', file);
  return async () => {
    await remove();
    const running = await server.catch(() => undefined);
    await running?.stop();
  };
}
