/**
 * @module Releases: checks that a version can be released, then sets it, closes its section of the changelog, commits and
 * tags. Pushing the tag publishes it (.github/workflows/release.yml), which checks the tag with `--check`.
 *
 * - `npm run release -- 0.2.0` makes the commit and the tag `v0.2.0`.
 * - `node scripts/release.mjs --check v0.2.0` prints the section of the changelog; fails if the tag does not fit the files.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);
const CHANGELOG = join(ROOT, 'CHANGELOG.md');
const UNRELEASED = 'Unreleased';
const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[\w.]+)?$/;

/** The file with the version of the last `generate`. */
const NOTE = 'drizzle/meta/_edgewise.json';

const read = (path) => readFileSync(path, 'utf8');
const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
const npm = (...args) => execFileSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
const currentVersion = () => JSON.parse(read(join(ROOT, 'package.json'))).version;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Returns the text below a heading of the changelog; empty without one. */
function sectionOf(name) {
  const [, text = ''] = read(CHANGELOG).split(`\n## ${name}\n`);
  return text.split(/\n## /)[0].trim();
}

/** Does version `a` come after `b`? A prerelease comes before its version. */
function isAfter(a, b) {
  const [left, right] = [a, b].map((text) => VERSION.exec(text) ?? []);
  for (const index of [1, 2, 3]) {
    const difference = Number(left[index]) - Number(right[index]);
    if (difference !== 0) return difference > 0;
  }
  if (left[4] === undefined || right[4] === undefined) return right[4] !== undefined && left[4] === undefined;
  return left[4].localeCompare(right[4], 'en', { numeric: true }) > 0;
}

/** Ends with the reason why the version cannot be released. */
function assertReleasable(version) {
  if (!VERSION.test(version)) fail(`Usage: npm run release -- <version>, such as 0.2.0; "${version}" is no version`);
  if (!isAfter(version, currentVersion())) fail(`${version} does not come after ${currentVersion()}`);
  if (git('status', '--porcelain') !== '') fail('The work tree has changes: commit them first');
  if (git('branch', '--show-current') !== 'main') fail('Releases are made on main');
  if (git('tag', '--list', `v${version}`) !== '') fail(`The tag v${version} exists already`);
  if (sectionOf(version) !== '') fail(`CHANGELOG.md has a section ${version} already`);
  if (sectionOf(UNRELEASED) === '') fail(`CHANGELOG.md has nothing under "## ${UNRELEASED}"`);
}

function release(version) {
  assertReleasable(version);
  npm('version', version, '--no-git-tag-version', '--workspaces', '--include-workspace-root');
  const note = join(ROOT, NOTE);
  writeFileSync(note, read(note).replace(/("version": )"[^"]*"/, `$1"${version}"`));
  const heading = `\n## ${UNRELEASED}\n`;
  writeFileSync(CHANGELOG, read(CHANGELOG).replace(heading, `${heading}\n## ${version}\n`));
  git('add', '--update');
  git('commit', '--quiet', '--message', `chore(release): ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Edgewise ${version}`);
  process.stderr.write(`Made v${version}. To publish it: git push origin main v${version}\n`);
}

/** Prints the notes of a release. Ends with the reason why the tag does not fit the files. */
function check(tag = '') {
  const version = currentVersion();
  if (tag !== `v${version}`) fail(`The tag is "${tag}", and package.json has the version ${version}`);
  if (JSON.parse(read(join(ROOT, NOTE))).version !== version) fail(`${NOTE} does not name ${version}`);
  const section = sectionOf(version);
  if (section === '') fail(`CHANGELOG.md has no section ${version}`);
  process.stdout.write(`${section}\n`);
}

const [first = '', ...rest] = process.argv.slice(2);
if (first === '--check') check(...rest);
else release(first);
