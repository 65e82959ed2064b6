/**
 * @module The package that the commands are part of: a clone of Edgewise, or a dependency of a project.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

export interface PackageJson {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, unknown>>;
}

const PATH = createRequire(import.meta.url).resolve('edgewise/package.json');

export const PACKAGE = dirname(PATH);

export const readPackage = (): PackageJson => JSON.parse(readFileSync(PATH, 'utf8')) as PackageJson;
