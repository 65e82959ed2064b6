import { beforeEach, describe, expect, it } from 'vitest';
import { readSchemaFiles, registryOf } from '../../../cli/project/project.ts';
import { loadSettings } from '../../../cli/project/settings.ts';
import { readSources } from '../../../cli/project/sources.ts';
import type { SchemaFile } from '../../../src/schema/build.ts';
import { SchemaError, type SchemaProblem } from '../../../src/schema/schema-error.ts';
import { type Attributes, component, contentType } from '../../support/schema-files.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

const STRING = { type: 'string' };

async function problems(): Promise<readonly SchemaProblem[]> {
  try {
    registryOf(await readSchemaFiles(project.root));
    return [];
  } catch (error) {
    if (error instanceof SchemaError) return error.problems;
    throw error;
  }
}

const places = async () => (await problems()).map(({ file, key }) => `${file}: ${key}`);

describe('schema files', () => {
  it('reports what is no JSON together with every other problem, each with file and key', async () => {
    project.write('content-types/broken/schema.json', '{ "kind": ');
    project.write('content-types/components/shared/seo.json', 'null,');
    project.schemas(
      contentType('article', { title: { type: 'sting' }, id: STRING }),
      contentType('tag', { 'a b': STRING }),
    );
    expect(await places()).toEqual([
      'content-types/broken/schema.json: (whole file)',
      'content-types/components/shared/seo.json: (whole file)',
      'content-types/article/schema.json: attributes.title.type',
      'content-types/tag/schema.json: attributes.a b',
    ]);
    expect((await problems())[0]?.expected).toMatch(/^this is no JSON; /);
    expect((await problems())[3]?.expected).toBe('a name of letters, digits, _ and - that begins with a letter');
  });

  it('does not complain a second time about references to a file that is no JSON', async () => {
    project.write('content-types/author/schema.json', '{');
    project.write('content-types/components/shared/seo.json', '{');
    const author = { type: 'relation', relation: 'oneToOne', target: 'api::author.author' };
    const ghost = { ...author, target: 'api::ghost.ghost' };
    project.schemas(contentType('article', { author, ghost, seo: { type: 'component', component: 'shared.seo' } }));
    expect(await places()).toEqual([
      'content-types/author/schema.json: (whole file)',
      'content-types/components/shared/seo.json: (whole file)',
      'content-types/article/schema.json: attributes.ghost.target',
    ]);
  });

  it('does not complain a second time about references to a file that has a mistake of its own', async () => {
    const author = { type: 'relation', relation: 'oneToOne', target: 'api::author.author' };
    project.schemas(
      contentType('article', { author, seo: { type: 'component', component: 'shared.seo' } }),
      contentType('author', { name: { type: 'sting' } }),
      component('shared.seo', { title: { type: 'sting' } }),
    );
    expect(await places()).toEqual([
      'content-types/components/shared/seo.json: attributes.title.type',
      'content-types/author/schema.json: attributes.name.type',
    ]);
  });

  it('that are copies of another are told of once', async () => {
    const { path, json } = contentType('article', { title: STRING, cover: { type: 'media' } });
    project.schemas({ path, json }, { path: path.replace('article', 'news'), json });
    expect(await places()).toEqual(['content-types/news/schema.json: info.singularName']);
  });

  it('names what the other side of a relation should be', async () => {
    const articles = { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'writer' };
    project.schemas(contentType('article', { title: STRING }), contentType('author', { articles }));
    expect(await problems()).toEqual([
      {
        file: 'content-types/author/schema.json',
        key: 'attributes.articles.mappedBy',
        expected: 'the name of an attribute of api::article.article that is a relation; "writer" is not one',
      },
    ]);
  });

  it('names a folder without a schema.json', async () => {
    project.write('content-types/article/notes.txt', '');
    expect(await places()).toEqual(['content-types/article/schema.json: (whole file)']);
  });

  it('come in the order of their names, content types and components apart', async () => {
    project.schemas(contentType('b', {}), contentType('a', {}), component('z.a', {}), component('a.z', {}));
    const { contentTypes, components } = (await readSchemaFiles(project.root)).files;
    expect(contentTypes.map(({ path }) => path)).toEqual([
      'content-types/a/schema.json',
      'content-types/b/schema.json',
    ]);
    expect(components.map(({ path }) => path)).toEqual([
      'content-types/components/a/z.json',
      'content-types/components/z/a.json',
    ]);
  });

  it('may be missing altogether', async () => expect(await places()).toEqual([]));

  it('that cannot be read are no files without JSON', async () => {
    project.write('content-types/article/schema.json/x', '');
    await expect(readSchemaFiles(project.root)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('may start with a byte order mark', async () => {
    const { path, json } = contentType('article', { title: STRING });
    project.write(path, `\uFEFF${JSON.stringify(json)}`);
    expect(await places()).toEqual([]);
  });
});

const told = async () => (await problems()).map(({ key, expected }) => `${key}: ${expected}`);
const attributes = (own: Attributes) => project.schemas(contentType('article', own));

describe('a misspelt key of a schema file', () => {
  it.each([
    ['maxlength', 'maxLength'],
    ['max-length', 'maxLength'],
    ['requried', 'required'],
    ['uniqe', 'unique'],
    ['defualt', 'default'],
    ['pluginOption', 'pluginOptions'],
    ['targetfield', 'targetField'],
  ])('such as %s is rejected with the key that was meant', async (key, meant) => {
    attributes({ title: { ...STRING, [key]: 1 } });
    expect(await told()).toEqual([`attributes.title.${key}: unknown key; did you mean "${meant}"?`]);
  });

  it('is rejected outside of attributes and in components too', async () => {
    const { path, json } = contentType('article', {});
    const { options: _, ...others } = json as Readonly<Record<string, unknown>>;
    project.schemas({ path, json: { ...others, option: {}, info: { ...(others.info as object), displayname: 'x' } } });
    project.schemas(component('shared.seo', { title: { ...STRING, Required: true } }));
    expect(await told()).toEqual([
      'option: unknown key; did you mean "options"?',
      'info.displayname: unknown key; did you mean "displayName"?',
      'attributes.title.Required: unknown key; did you mean "required"?',
    ]);
  });

  it('is neither a key of Strapi that has no effect here nor an unrelated one', async () => {
    attributes({ title: { ...STRING, columnType: 'text', searchable: false, ours: 1, 'x-note': 'y', tag: 1 } });
    expect(await told()).toEqual([]);
  });
});

describe('a default of a schema file', () => {
  it.each<[type: string, options: Readonly<Record<string, unknown>>, says: RegExp]>([
    ['enumeration', { enum: ['a', 'b'], default: 'c' }, /must be one of the following values: a, b/],
    ['string', { maxLength: 2, default: 'abc' }, /must be at most 2 characters/],
    ['string', { regex: '^x', default: 'abc' }, /must match/],
    ['string', { default: 1 }, /must be a `string` type/],
    ['integer', { min: 3, default: 2 }, /greater than or equal to 3/],
    ['integer', { default: 'two' }, /must be a `number` type/],
    ['boolean', { default: 'maybe' }, /must be a `boolean` type/],
    ['email', { default: 'nobody' }, /must be a valid email/],
    ['date', { default: 'tomorrow' }, /expected yyyy-MM-dd/],
  ])('is rejected by the rules: %s with %j', async (type, options, says) => {
    attributes({ value: { type, ...options } });
    expect(await told()).toEqual([
      expect.stringMatching(/^attributes\.value\.default: a value that a document may have; /),
    ]);
    expect((await told())[0]).toMatch(says);
  });

  it('is accepted where a document may have it', async () => {
    attributes({
      kind: { type: 'enumeration', enum: ['a', 'b'], default: 'b', required: true },
      none: { ...STRING, default: null, required: true },
      day: { type: 'date', default: '2026-01-02' },
      at: { type: 'datetime', default: '2026-01-02T03:04:05Z' },
      big: { type: 'biginteger', default: '9007199254740993' },
      on: { type: 'boolean', default: false },
      data: { type: 'json', default: { a: 1 } },
    });
    expect(await told()).toEqual([]);
  });
});

describe('edgewise.config.ts', () => {
  it('refuses wrong settings, naming the file and each key', async () => {
    project.write('edgewise.config.ts', `export default { api: { rest: { defaultLimit: 'x' } }, nonsense: 1 };`);
    const refused = expect(loadSettings(project.root)).rejects;
    await refused.toThrow(/edgewise\.config\.ts has 2 wrong setting/);
    await expect(loadSettings(project.root)).rejects.toThrow(/api\.rest\.defaultLimit/);
  });

  it('names wrong settings together with wrong grants and content types, in one error', async () => {
    const said = async (settings: string, ...types: readonly SchemaFile[]) => {
      project.schemas(...types);
      project.write('edgewise.config.ts', `export default { ${settings} };`);
      return readSources(project.root).catch(({ message }: Error) => message);
    };
    const article = contentType('article', { title: STRING });
    expect(await said(`nonsense: 1, roles: { public: ['api::artcle.artcle.find'] }`, article)).toMatch(
      /^edgewise\.config\.ts has 1 wrong setting:\n.*nonsense.*\nedgewise\.config\.ts:\n {2}roles\.public: no content type has the action/,
    );
    const broken = contentType('article', { title: { type: 'sting' } });
    expect(await said('nonsense: 1', broken)).toMatch(
      /1 wrong setting:\n.*\n1 problem in content-types\/:\n.*title\.type/,
    );
    // What depends on a wrong section is not said.
    expect(await said('nonsense: 1', article)).toMatch(/^edgewise\.config\.ts has 1 wrong setting:\n[^\n]*$/);
    expect(await said(`roles: { writer: 3 }, users: { defaultRole: 'writer' }`, article)).toMatch(/^[^\n]*:\n[^\n]*$/);
    const custom = contentType('article', { title: { type: 'customField', customField: 'plugin::x.y' } });
    expect(await said(`customFields: { 'plugin::x.y': 3 }`, custom)).toMatch(/^[^\n]*:\n[^\n]*$/);
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
