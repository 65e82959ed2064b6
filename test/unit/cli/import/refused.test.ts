import { globSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openArchive } from '../../../../cli/core/archive/archive-file.ts';
import { type ImportFlags, importSurvey } from '../../../../cli/import/import.ts';
import { newWarnings, surveyArchive } from '../../../../cli/import/survey.ts';
import { readSchemaFiles, registryOf } from '../../../../cli/project/project.ts';
import { loadSettings } from '../../../../cli/project/settings.ts';
import { archiveOf } from '../../../support/archive.ts';
import { wranglerToml } from '../cloudflare.ts';
import { hearPrinted } from '../heard.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';
import { fileOf } from './imported.ts';
import { MAGAZINE, SCHEMAS } from './magazine.ts';

const WRANGLER = `${wranglerToml('test')}[[r2_buckets]]
binding = "MEDIA"
bucket_name = "test"
`;
const ROOT = join(import.meta.dirname, '../../../..');
const HOSTILE = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'a\nb',
  'a\u0000b',
  'it\'s "odd"',
  '../../x',
  '`x`',
];

let project: ScratchProject;
const printed = hearPrinted(process.stdout, process.stderr);

async function take(parts: Parameters<typeof archiveOf>[0], flags: Partial<ImportFlags> = {}): Promise<void> {
  const warnings = newWarnings();
  const survey = await surveyArchive(openArchive(fileOf(await archiveOf(parts)), undefined), warnings);
  try {
    await importSurvey(project.root, survey, { backup: true, ...flags });
  } finally {
    survey.staging.close();
  }
}

/** Every file of the project. */
const contents = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync('**/{*,.*}', { cwd: project.root, exclude: ['node_modules'] })
      .filter((path) => statSync(join(project.root, path)).isFile())
      .map((path) => [path, readFileSync(join(project.root, path), 'latin1')]),
  );

const row = (type: string, id: number, data: object) => ({ type, id, data: { documentId: `${id}x`, ...data } });
const schemaOf = (uid: string, more: object = {}) => ({
  ...{ uid, kind: 'collectionType', modelType: 'contentType', collectionName: 'things', options: {} },
  ...{ info: { singularName: 'thing', pluralName: 'things', displayName: 'Thing' } },
  attributes: { name: { type: 'string' } },
  ...more,
});

beforeEach(() => {
  project = scratchProject();
  vi.spyOn(process, 'cwd').mockReturnValue(project.root);

  project.write('wrangler.toml', WRANGLER);
  symlinkSync(join(ROOT, 'node_modules'), join(project.root, 'node_modules'));
});

describe('an import that is refused has written nothing', () => {
  it.each<[string, object, RegExp]>([
    [
      'for what generate would refuse afterwards',
      schemaOf('api::thing.thing', { attributes: { name: { type: 'string', maxLength: 2, default: 'too long' } } }),
      /default/,
    ],
    [
      'for a type that cannot be',
      schemaOf('api::thing.thing', { attributes: { name: { type: 'enumeration', enum: [] } } }),
      /cannot be imported as they are/,
    ],
    [
      'for a type called __proto__',
      schemaOf('api::__proto__.__proto__', { info: { singularName: '__proto__', pluralName: '__proto__s' } }),
      /content-types\/__proto__\/schema\.json: info\.singularName/,
    ],
    [
      'for a table outside of all names',
      schemaOf('api::thing.thing', { collectionName: 'x"; drop table articles; --' }),
      /cannot be imported as they are/,
    ],
  ])('%s', async (_, schema, message) => {
    const before = contents();
    await expect(take({ ...MAGAZINE, schemas: [...SCHEMAS, schema] })).rejects.toThrow(message);
    expect(contents()).toEqual(before);
    project.remove('.');
  });
});

describe('hostile names in an archive', () => {
  it('become no prototype, no path and no code, in any kind of entity', async () => {
    const entities = HOSTILE.flatMap((name, index) => [
      row('plugin::users-permissions.role', 100 + index, { type: name, name, description: name }),
      row('plugin::users-permissions.permission', 100 + index, { action: name }),
      row('plugin::i18n.locale', 100 + index, { code: name, name }),
      row('plugin::upload.file', 100 + index, { name, hash: `h${index}`, ext: name, mime: name, url: name, size: 1 }),
      row('api::tag.tag', 100 + index, { name, [name]: name, documentId: name }),
      row(name, 1, { [name]: name }),
    ]);
    const schemas = HOSTILE.flatMap((name) => [
      schemaOf(`api::${name}.${name}`, {
        collectionName: `${name}_things`,
        info: { singularName: name, pluralName: `${name}s`, displayName: name },
      }),
      schemaOf(`${name}.${name}`, { modelType: 'component', collectionName: `components_${name}` }),
      schemaOf(name),
    ]);
    const plain = schemas.filter(({ uid }) => !/^(api::)?[\w-]+\.[\w-]+$/.test(uid));
    const own = schemas.filter(({ uid }) => /^(api::)?(constructor|prototype)\./.test(uid));
    const configuration = HOSTILE.map((name) => ({
      type: 'core-store',
      value: { key: name, value: { [name]: name } },
    }));
    await take({
      ...MAGAZINE,
      schemas: [...SCHEMAS, ...plain, ...own],
      entities: [...(MAGAZINE.entities ?? []), ...entities],
      configuration: [...(MAGAZINE.configuration ?? []), ...configuration],
    });
    const settings = await loadSettings(project.root);
    const roles = Object.keys(settings.roles);
    expect(roles.toSorted()).toEqual(['../../x', '`x`', 'authenticated', 'it\'s "odd"', 'public']);
    expect(printed.text).toContain('a role is called "__proto__", as no role can be here; left out');
    expect(Object.getPrototypeOf(settings.roles)).toBe(Object.prototype);
    expect(({} as { x?: unknown }).x).toBeUndefined();
    const { contentTypes, components } = registryOf(await readSchemaFiles(project.root));
    expect([...contentTypes.keys()]).toContain('api::constructor.constructor');
    expect([...components.keys()]).toContain('prototype.prototype');
    const strange = Object.keys(contents()).filter(
      (path) =>
        !/^(content-types|drizzle|src|types|\.wrangler)\/|^(openapi\.json|edgewise\.imported\.json|wrangler\.toml)$/.test(
          path,
        ),
    );
    expect(strange).toEqual([]);
    project.remove('.');
  });
});
