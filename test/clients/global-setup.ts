/**
 * @module One server for all tests of clients.
 */
import type { TestProject } from 'vitest/node';
import { installClients } from './install.ts';
import { serveDemo } from './served-demo.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly url: string;
    readonly token: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  installClients();
  const { url, token, stop } = await serveDemo();
  project.provide('url', url);
  project.provide('token', token);
  return stop;
}
