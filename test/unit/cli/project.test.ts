import { beforeEach, describe, expect, it } from 'vitest';
import { loadSettings, readSchemaFiles, registryOf } from '../../../src/cli/project/project.ts';
import { SchemaError, type SchemaProblem } from '../../../src/registry/build.ts';
import { component, contentType } from './content-model.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

const STRING = { type: 'string' };

function problems(): readonly SchemaProblem[] {
  try {
    registryOf(readSchemaFiles(project.root));
    return [];
  } catch (error) {
    if (error instanceof SchemaError) return error.problems;
    throw error;
  }
}

const places = () => problems().map(({ file, key }) => `${file}: ${key}`);

describe('schema files', () => {
  it('reports what is no JSON together with every other problem, each with file and key', () => {
    project.write('content-types/broken/schema.json', '{ "kind": ');
    project.write('content-types/components/shared/seo.json', 'null,');
    project.schemas(
      contentType('article', { title: { type: 'sting' }, id: STRING }),
      contentType('tag', { 'a b': STRING }),
    );
    expect(places()).toEqual([
      'content-types/broken/schema.json: (whole file)',
      'content-types/components/shared/seo.json: (whole file)',
      'content-types/article/schema.json: attributes.title.type',
      'content-types/tag/schema.json: attributes.a b',
    ]);
    expect(problems()[0]?.expected).toMatch(/^JSON; /);
  });

  it('does not complain a second time about references to a file that is no JSON', () => {
    project.write('content-types/author/schema.json', '{');
    project.write('content-types/components/shared/seo.json', '{');
    const author = { type: 'relation', relation: 'oneToOne', target: 'api::author.author' };
    const ghost = { ...author, target: 'api::ghost.ghost' };
    project.schemas(contentType('article', { author, ghost, seo: { type: 'component', component: 'shared.seo' } }));
    expect(places()).toEqual([
      'content-types/author/schema.json: (whole file)',
      'content-types/components/shared/seo.json: (whole file)',
      'content-types/article/schema.json: attributes.ghost.target',
    ]);
  });

  it('names a folder without a schema.json', () => {
    project.write('content-types/article/notes.txt', '');
    expect(places()).toEqual(['content-types/article/schema.json: (whole file)']);
  });

  it('come in the order of their names, content types and components apart', () => {
    project.schemas(contentType('b', {}), contentType('a', {}), component('z.a', {}), component('a.z', {}));
    const { contentTypes, components } = readSchemaFiles(project.root).files;
    expect(contentTypes.map(({ path }) => path)).toEqual([
      'content-types/a/schema.json',
      'content-types/b/schema.json',
    ]);
    expect(components.map(({ path }) => path)).toEqual([
      'content-types/components/a/z.json',
      'content-types/components/z/a.json',
    ]);
  });

  it('may be missing altogether', () => expect(places()).toEqual([]));

  it('may start with a byte order mark', () => {
    const { path, json } = contentType('article', { title: STRING });
    project.write(path, `\uFEFF${JSON.stringify(json)}`);
    expect(places()).toEqual([]);
  });
});

describe('edgewise.config.ts', () => {
  it('refuses wrong settings, naming the file and each key', async () => {
    project.write('edgewise.config.ts', `export default { api: { rest: { defaultLimit: 'x' } }, nonsense: 1 };`);
    const refused = expect(loadSettings(project.root)).rejects;
    await refused.toThrow(/edgewise\.config\.ts has 2 wrong setting/);
    await expect(loadSettings(project.root)).rejects.toThrow(/api\.rest\.defaultLimit/);
  });

  it('refuses a file without a default export', async () => {
    project.write('edgewise.config.ts', 'export const settings = {};');
    await expect(loadSettings(project.root)).rejects.toThrow(/edgewise\.config\.ts: expected `export default/);
  });

  it('refuses a file that cannot be loaded', async () => {
    project.write('edgewise.config.ts', 'export default {');
    await expect(loadSettings(project.root)).rejects.toThrow(/edgewise\.config\.ts cannot be loaded/);
  });

  it('may be missing: every setting has its default', async () => {
    expect((await loadSettings(project.root)).api.rest.defaultLimit).toBe(25);
  });

  it('sets what it names', async () => {
    project.write('edgewise.config.ts', 'export default { api: { rest: { defaultLimit: 7 as number } } };');
    expect((await loadSettings(project.root)).api.rest.defaultLimit).toBe(7);
  });
});
