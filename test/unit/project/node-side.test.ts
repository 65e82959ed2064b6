import { beforeEach, describe, expect, it } from 'vitest';
import { generate } from '../../../cli/project/generate.ts';
import { answerProject, type ProjectState } from '../../../testing/node-side.ts';
import { contentType } from '../../support/schema-files.ts';
import { type ScratchProject, scratchProject } from '../cli/scratch-project.ts';

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

const state = async (): Promise<ProjectState> => (await answerProject(project.root)()).json();

describe('a project', () => {
  it('without content types has nothing wrong with it, and one migration', async () => {
    await generate(project.root);
    const { problems, migrations } = await state();
    expect(problems).toEqual({ contentTypes: null, settings: null, generated: null });
    expect(migrations.map(({ name }) => name)).toEqual(['0001_initial.sql']);
    expect(migrations[0]?.queries.length).toBeGreaterThan(5);
  });

  it('whose files were changed is told what is stale', async () => {
    await generate(project.root);
    project.schemas(contentType('page', { title: { type: 'string' } }));
    const { problems } = await state();
    expect(problems).toMatchObject({ contentTypes: null, settings: null });
    expect(problems.generated).toContain('Stale, run npx edgewise generate:');
  });

  it('with mistakes is told each, and where it is', async () => {
    project.schemas(contentType('page', { title: { type: 'strin' } }));
    expect((await state()).problems.contentTypes).toContain('content-types/page/schema.json: attributes.title.type');
    project.write('edgewise.config.ts', 'export default { nonsense: 1 };');
    expect((await state()).problems.settings).toContain('nonsense');
  });
});
