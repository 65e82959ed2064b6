/**
 * @module A project in a temporary folder, for tests of commands that read and write files.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SchemaFile } from '../../../src/schema/build.ts';

export interface ScratchProject {
  readonly root: string;
  write(path: string, text: string): void;
  /** Writes schema files as Strapi would. */
  schemas(...files: readonly SchemaFile[]): void;
  read(path: string): string;
  has(path: string): boolean;
  remove(path: string): void;
  migrations(): readonly string[];
}

export function scratchProject(): ScratchProject {
  const root = mkdtempSync(join(tmpdir(), 'edgewise-project-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  return {
    root,
    write,
    schemas: (...files) => {
      for (const { path, json } of files) write(path, JSON.stringify(json, null, 2));
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    has: (path) => existsSync(join(root, path)),
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    migrations: () => {
      const folder = join(root, 'drizzle');
      return existsSync(folder)
        ? readdirSync(folder)
            .filter((name) => name.endsWith('.sql'))
            .sort()
        : [];
    },
  };
}
