import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { generate } from '../../../cli/project/generate.ts';
import { withoutDemoSettings } from '../../../cli/project/leave-demo.ts';
import { copyDemo } from '../../support/demo.ts';
import { contentType } from './content-model.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

/** Nobody counts what a local database holds. */
const NOBODY = async () => ({ code: 1, stdout: '', stderr: '' });

const ROOT = join(import.meta.dirname, '../../..');

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  cpSync(join(ROOT, 'package.json'), join(project.root, 'package.json'));
  copyDemo(project.root);
  return () => project.remove('.');
});

describe('the settings of the demo', () => {
  it('are removed where they are as a clone has them', () => {
    const { text, removed } = withoutDemoSettings(project.read('edgewise.config.ts'));
    expect(removed).toEqual(['i18n', 'roles', 'indexes', 'search']);
    expect(text).toContain(
      'export default defineConfig({\n  roles: {},\n  upload: { widths: true },\n  history: true,\n  mcp: true,\n});',
    );
  });

  it('are kept where they were changed', () => {
    const source = project.read('edgewise.config.ts').replace("'api::homepage.homepage.find',", '// no homepage');
    const { text, removed } = withoutDemoSettings(source);
    expect(removed).toEqual(['i18n', 'indexes', 'search']);
    expect(text).toContain('// no homepage');
  });

  it('are reported if its content types are removed by hand, and then the data loss is', async () => {
    project.remove('content-types');
    project.schemas(contentType('page', { title: { type: 'string' } }));
    await expect(generate(project.root)).rejects.toThrow(/roles\.public: no content type has/);
    project.write('edgewise.config.ts', 'export default {};');
    await expect(generate(project.root, { execute: NOBODY })).rejects.toThrow(/lose stored content/);
    project.remove('drizzle');
    await generate(project.root);
    expect(project.read('drizzle/0001_initial.sql')).toContain('`pages`');
  });
});
