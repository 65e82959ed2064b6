import { afterAll, describe, expect, it } from 'vitest';
import { generate } from '../../../cli/project/generate.ts';
import { loadSettings, mergeSettings, overriddenKeys, readImported } from '../../../cli/project/settings.ts';
import { contentType } from '../../support/schema-files.ts';
import { scratchProject } from './scratch-project.ts';

const project = scratchProject();
afterAll(() => project.remove('.'));

const IMPORTED = 'edgewise.imported.json';

describe('mergeSettings', () => {
  it('merges sections, and lets own values win, lists as a whole', () => {
    const imported = { roles: { public: ['a', 'b'], editor: ['c'] }, users: { defaultGrants: false } };
    const own = { roles: { public: ['d'] }, users: { allowRegistration: false }, search: [] };
    expect(mergeSettings(own, imported)).toEqual({
      roles: { public: ['d'], editor: ['c'] },
      users: { defaultGrants: false, allowRegistration: false },
      search: [],
    });
    expect(mergeSettings({ roles: undefined }, imported)).toEqual(imported);
  });

  it('sets no prototype and inherits nothing, whatever a role is called', () => {
    const imported = JSON.parse('{ "roles": { "__proto__": ["a"], "constructor": ["b"] } }');
    const merged = mergeSettings({ roles: {} }, imported) as { readonly roles: object };
    expect(Object.getPrototypeOf(merged.roles)).toBe(Object.prototype);
    expect(Object.entries(merged.roles)).toEqual([
      ['__proto__', ['a']],
      ['constructor', ['b']],
    ]);
    expect(({} as { readonly a?: unknown }).a).toBeUndefined();
  });
});

describe('overriddenKeys', () => {
  it('names the imported keys that have another value', () => {
    const imported = { roles: { public: ['a'], editor: ['b'] }, i18n: { locales: [] } };
    expect(overriddenKeys({ roles: { public: ['x'], editor: ['b'], more: [] } }, imported)).toEqual(['roles.public']);
    expect(overriddenKeys({}, imported)).toEqual([]);
  });
});

describe('edgewise.imported.json', () => {
  it('is part of the settings without a line in edgewise.config.ts, and without that file', async () => {
    project.write(IMPORTED, JSON.stringify({ roles: { editor: ['api::tag.tag.find'] } }));
    expect((await loadSettings(project.root)).roles).toEqual({ editor: ['api::tag.tag.find'] });
    project.write('edgewise.config.ts', `export default { cors: { origins: ['https://a.example'] } };`);
    expect((await loadSettings(project.root)).roles).toEqual({ editor: ['api::tag.tag.find'] });
  });

  it('is checked like the settings, and named by what is wrong', async () => {
    project.write(IMPORTED, '{');
    await expect(loadSettings(project.root)).rejects.toThrow(/^edgewise\.imported\.json is not JSON: /);
    project.write(IMPORTED, '{ "rolls": {} }');
    expect(() => readImported(project.root)).toThrow(/^edgewise\.imported\.json has 1 wrong setting:\n.*rolls/);
    project.schemas(contentType('tag', {}));
    project.write('edgewise.config.ts', `export default { roles: { public: ['api::tag.tag.finds'] } };`);
    project.write(IMPORTED, JSON.stringify({ roles: { editor: ['api::gone.gone.find', 'api::tag.tag.find'] } }));
    await expect(generate(project.root)).rejects.toThrow(
      /^edgewise\.config\.ts:\n {2}roles\.public: .*api::tag\.tag\.finds.*\nedgewise\.imported\.json:\n {2}roles\.editor: .*api::gone\.gone\.find"/,
    );
  });
});
