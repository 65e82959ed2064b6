/**
 * @module A content model as a server: a scratch copy of the project with it, served by wrangler.
 */
import { freePort } from '../../cli/core/local-server.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { makeScratch, removeScratch } from '../conformance/scratch.ts';
import { createToken, runCommand, startServer, stopEverything } from '../conformance/server.ts';

export interface ServedProject {
  /** The project. */
  readonly folder: string;
  /** Without `/api`. */
  readonly url: string;
  /** Full access. */
  readonly token: string;
  stop(): Promise<void>;
}

/**
 * @param models folders of `content-types/`
 * @param prepare called with the project once it has its tables
 * @param port where the settings name it
 */
export async function serveProject(
  models: string | readonly string[],
  settings: SettingsInput,
  prepare: (folder: string) => void = () => {},
  port?: number,
): Promise<ServedProject> {
  const folder = makeScratch(models, settings);
  const stop = async () => {
    await stopEverything();
    removeScratch(folder);
  };
  try {
    await runCommand(folder, 'generate');
    await runCommand(folder, 'migrate');
    prepare(folder);
    const token = await createToken(folder, 'tests', { type: 'full-access' });
    return { folder, url: await startServer(folder, port ?? (await freePort())), token, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export interface ServedDocument {
  readonly documentId: string;
  readonly [attribute: string]: unknown;
}

/** Returns a caller with full access. It returns `data` of the response, undefined without a body, and throws for an error. */
export const callerOf =
  ({ url, token }: ServedProject) =>
  async <T = ServedDocument>(method: string, path: string, data?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, body: data ? JSON.stringify({ data }) : null });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    const text = await response.text();
    return text === '' ? (undefined as T) : (JSON.parse(text) as { data: T }).data;
  };
