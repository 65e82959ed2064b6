/**
 * @module package.json of a project: the versions that the package was tested with, of what it installs and what these need.
 */
import { basename } from 'node:path';
import { isObject, type JsonObject } from '../../src/common/json.ts';
import { NODE_RANGE } from '../core/node-range.ts';
import type { PackageJson } from '../core/package.ts';
import { UsageError } from '../core/terminal.ts';

/** What types need. */
const DEVELOPMENT = ['@types/node', 'typescript'];

/** What tests need: the test runner, and vite, of which vitest takes any version. */
const TESTING = ['@cloudflare/vitest-pool-workers', 'vite', 'vitest'];

/** Runs API and site together. */
const CONCURRENTLY = '10.0.7';

/** Packages of a project, whose names it cannot have itself. */
const PACKAGES: readonly string[] = ['edgewise', ...DEVELOPMENT, ...TESTING];

/** Cloudflare wants at most 63 characters for a bucket: this and `-private`. */
const MAX_NAME = 50;

/** The name of the Worker in a folder. @throws UsageError where the folder has none that would do. */
export function projectName(root: string): string {
  const name = basename(root)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replaceAll(/^-+|-+$/g, '');
  if (name === '' || PACKAGES.includes(name))
    throw new UsageError(`A Worker cannot be called "${basename(root)}"; give the folder another name, such as my-api`);
  return name;
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const objectIn = (json: JsonObject, key: string): JsonObject => (isObject(json[key]) ? json[key] : {});

const versionsOf = (names: readonly string[], { devDependencies }: PackageJson) =>
  Object.fromEntries(names.map((name) => [name, devDependencies[name]]));

/** @param dependency the version of `edgewise`, or its file */
export function packageText(name: string, dependency: string, edgewise: PackageJson): string {
  const scripts = {
    dev: 'edgewise dev',
    deploy: 'edgewise deploy',
    check: 'edgewise generate --check && edgewise build && wrangler types && tsc',
    test: 'edgewise test',
  };
  return jsonText({
    ...{ name, private: true, type: 'module', engines: { node: NODE_RANGE }, scripts },
    dependencies: { edgewise: dependency },
    devDependencies: versionsOf(DEVELOPMENT, edgewise),
    // Else there are three copies of esbuild.
    overrides: { 'drizzle-kit': edgewise.overrides['drizzle-kit'] },
    allowScripts: { esbuild: true, workerd: true },
  });
}

/**
 * package.json of a project with a site: a workspace, so that one installation and one lockfile are for both.
 * @param project the text of `packageText`
 */
export function withSite(project: string, edgewise: PackageJson): string {
  const json = JSON.parse(withTesting(JSON.parse(project), edgewise)) as Readonly<Record<string, JsonObject>>;
  const scripts = {
    // What follows `npm run dev --` is for edgewise.
    dev: 'concurrently --names api,site --kill-others --passthrough-arguments "edgewise dev {@}" "npm run dev -w site" --',
    test: 'npm test -w site && edgewise test',
  };
  return jsonText({
    ...json,
    scripts: { ...json.scripts, ...scripts },
    workspaces: ['site'],
    devDependencies: { ...json.devDependencies, concurrently: CONCURRENTLY },
  });
}

/** @param project package.json of a site. @param client the version of `edgewise-client`, or its file */
export function withClient(project: JsonObject, client: string): string {
  return jsonText({ ...project, dependencies: { ...objectIn(project, 'dependencies'), 'edgewise-client': client } });
}

/** Adds the test runner to package.json of a project; what the project has already stays. */
export function withTesting(project: JsonObject, edgewise: PackageJson): string {
  const [first = ''] = TESTING;
  return jsonText({
    ...project,
    scripts: { test: 'edgewise test', ...objectIn(project, 'scripts') },
    devDependencies: { ...versionsOf(TESTING, edgewise), ...objectIn(project, 'devDependencies') },
    overrides: { [first]: { zod: edgewise.dependencies.zod }, ...objectIn(project, 'overrides') },
  });
}
