/**
 * @module The Worker that `npm run dev` serves: a file of its own beside the local database, with the content types and
 * the settings in it. It changes in one step, and only to what is right and has its tables.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Settings } from '../../config.ts';
import { sha256 } from '../../digest.ts';
import type { SchemaFiles } from '../../registry/build.ts';

/** Answers with the version that is served; no content type can have this path. */
export const VERSION_PATH = '/.edgewise/version';

export interface ServedWorker {
  readonly text: string;
  /** Equal deployments have equal versions. */
  readonly version: string;
}

const moduleText = (src: string, version: string, deployment: string): string => `// Written by npm run dev.
import { createApp } from '${src}/app.ts';
import { buildRegistry, TRUSTED } from '${src}/registry/build.ts';

const { files, settings } = ${deployment};
const app = createApp({ registry: buildRegistry(files, TRUSTED), settings });

export default {
  fetch: (request, env, context) =>
    new URL(request.url).pathname === '${VERSION_PATH}' ? new Response('${version}') : app.fetch(request, env, context),
};
`;

/** @param path where the file will be. */
export function servedWorker(root: string, path: string, files: SchemaFiles, settings: Settings): ServedWorker {
  const src = relative(dirname(path), join(root, 'src')).split(sep).join('/');
  const deployment = JSON.stringify({ files, settings });
  const version = sha256(deployment).slice(0, 16);
  return { text: moduleText(src.startsWith('.') ? src : `./${src}`, version, deployment), version };
}

/** Puts the file in the place of the one that is there, in one step. @returns was it another? */
export function writeWorker(path: string, { text }: ServedWorker): boolean {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false;
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${randomBytes(4).toString('hex')}`;
  writeFileSync(fresh, text);
  renameSync(fresh, path);
  return true;
}
