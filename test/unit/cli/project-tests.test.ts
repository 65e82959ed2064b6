/**
 * @module `edgewise test`: what it writes with `--init`, and what it says where there is nothing to run. package.long.test.ts runs
 * the tests.
 */
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { contentType } from '../../support/schema-files.ts';
import { runCommand } from './run-command.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const ROOT = join(import.meta.dirname, '../../..');
const NEXT = 'Next:\n  npm install\n  npm test\n';

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  project.write('wrangler.toml', 'name = "site"\n');
  project.write('edgewise.config.ts', 'export default {};\n');
  project.write('package.json', JSON.stringify({ scripts: { test: 'mine' }, devDependencies: { vitest: '5.0.0' } }));
  project.schemas(contentType('post', { title: { type: 'string', required: true } }));
  return () => project.remove('.');
});

const run = (line: string, root = project.root) => runCommand(root, line);

describe('edgewise test', () => {
  it('names the command that writes the tests where there are none', async () => {
    const said = 'There are no tests yet; to write them, and to install what runs them: npx edgewise test --init\n';
    expect(await run('test')).toEqual({ code: 1, said });
  });

  it('names the command that installs the test runner', async () => {
    project.write('vitest.config.ts', '');
    expect(await run('test -t name')).toEqual({ code: 1, said: 'The test runner is not installed: npm install\n' });
  });

  it.each(['test', 'test --init'])('leaves a clone of Edgewise as it is: %s', async (line) => {
    const said = 'A clone of Edgewise has its tests: npm run test:project\n';
    expect(await run(line, ROOT)).toEqual({ code: 1, said });
  });
});

describe('edgewise test --init', () => {
  it('writes the tests, one of them of a content type, and what they need into package.json', async () => {
    const { code, said } = await run('test --init --no-install');
    expect({ code, said }).toEqual({ code: 0, said: `wrote package.json and 3 files of tests\n${NEXT}` });
    expect(project.read('test/example.test.ts')).toContain("project.create('api::post.post', {})");
    expect(project.read('test/project.test.ts')).toContain('testProject');
    expect(project.read('vitest.config.ts')).toContain('cloudflareTest');
    expect(Object.keys(JSON.parse(project.read('package.json')).devDependencies)).toEqual([
      '@cloudflare/vitest-pool-workers',
      'vite',
      'vitest',
    ]);
  });

  it('writes nothing beside a package.json that is no JSON, and names it', async () => {
    project.write('package.json', '{ half');
    const { code, said } = await run('test --init --no-install');
    expect([code, said]).toEqual([1, expect.stringMatching(/^package\.json is not JSON: /)]);
    expect(project.has('vitest.config.ts')).toBe(false);
  });

  it('keeps what the project has', async () => {
    project.write('test/example.test.ts', 'mine');
    const { said } = await run('test --init --no-install');
    expect(said).toBe(`wrote package.json and 2 files of tests\n${NEXT}`);
    expect(project.read('test/example.test.ts')).toBe('mine');
    expect(JSON.parse(project.read('package.json'))).toMatchObject({
      scripts: { test: 'mine' },
      devDependencies: { vitest: '5.0.0' },
    });
  });
});
