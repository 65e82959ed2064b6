/**
 * @module `npm create edgewise` with the packed packages: everything is installed once, and the project is whole.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPackage } from '../../cli/core/package.ts';
import { type Commands, commandsIn, done, newerPath } from './first-hour/clone.ts';

const ROOT = join(import.meta.dirname, '../..');
const { version } = readPackage();
const PACKED = `edgewise-${version}.tgz`;
const CREATE = `npx --yes ./create-edgewise-${version}.tgz`;
const TYPE = {
  kind: 'collectionType',
  info: { singularName: 'post', pluralName: 'posts', displayName: 'Post' },
  attributes: { title: { type: 'string' } },
};

let folder: string;
let beside: Commands;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-create-'));
  beside = commandsIn(folder, newerPath);
  for (const which of ['--workspace=create', '--workspaces=false'])
    await done(commandsIn(ROOT), `npm pack --silent ${which} --pack-destination ${folder}`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm create edgewise', () => {
  it('installs a project once, with the content types of a Strapi project, and a repository', async () => {
    const schema = join(folder, 'strapi/src/api/post/content-types/post/schema.json');
    mkdirSync(join(schema, '..'), { recursive: true });
    writeFileSync(schema, JSON.stringify(TYPE));
    const output = await done(beside, `${CREATE} my-site --from strapi --edgewise ${PACKED}`);
    expect(output.match(/installing packages/g)).toHaveLength(1);
    expect(output).toContain('Next:\n  cd my-site\n  npm run dev\n');
    expect(readdirSync(join(folder, 'my-site'))).toEqual(expect.arrayContaining(['.git', 'node_modules', PACKED]));
    const inside = commandsIn(join(folder, 'my-site'), newerPath);
    expect(await done(inside, 'npx edgewise generate --check')).toContain('up to date');
    await done(inside, 'npm ci');
  });

  it('installs nothing and makes no repository where it is told so', async () => {
    const output = await done(beside, `${CREATE} other --no-install --no-git --edgewise ${PACKED}`);
    expect(output).toContain('Next:\n  cd other\n  npm install\n  npm run dev\n');
    const names = readdirSync(join(folder, 'other'));
    expect(names).toContain('edgewise.config.ts');
    expect(names.filter((name) => ['.git', 'node_modules'].includes(name))).toEqual([]);
  });
});
