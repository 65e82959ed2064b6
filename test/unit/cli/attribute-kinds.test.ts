import { beforeEach, describe, expect, it } from 'vitest';
import { schemaLines } from '../../../cli/export/schema-lines.ts';
import { readSchemaFiles, registryOf } from '../../../cli/project/project.ts';
import { SchemaError } from '../../../src/schema/schema-error.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { component, contentType } from '../../support/schema-files.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

const COLOR = { type: 'customField', customField: 'plugin::color-picker.color', regex: '^#', required: true };
const RATING = { type: 'customField', customField: 'plugin::stars.rating', min: 1 };

const read = async () => registryOf(await readSchemaFiles(project.root));

async function problems(): Promise<readonly string[]> {
  try {
    await read();
    return [];
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return error.problems.map(({ file, key, expected }) => `${file}: ${key}: ${expected}`);
  }
}

describe('a custom field', () => {
  it('has the base type that its plugin registers, with its other options, in content types and components', async () => {
    project.schemas(
      contentType('car', { paint: COLOR, tags: { type: 'customField', customField: 'plugin::tagsinput.tags' } }),
    );
    project.schemas(component('shared.trim', { paint: COLOR }));
    const { contentTypes, components, schemas } = await read();
    const attributes = contentTypes.get('api::car.car')?.attributes;
    expect(attributes?.get('paint')).toMatchObject({ kind: 'scalar', type: 'string', required: true, regex: /^#/ });
    expect(attributes?.get('tags')).toMatchObject({ kind: 'scalar', type: 'json' });
    expect(components.get('shared.trim')?.attributes.get('paint')).toMatchObject({ type: 'string' });
    expect(schemas.get('api::car.car')).toMatchObject({ attributes: { paint: { ...COLOR, type: 'string' } } });
  });

  it('keeps its name in an exported archive, beside its base type, as Strapi exports it', async () => {
    project.schemas(contentType('car', { paint: COLOR }));
    const { files } = await readSchemaFiles(project.root);
    const lines = schemaLines(files, (name) => `${name}s`);
    expect(lines.at(-1)).toMatchObject({ uid: 'api::car.car', attributes: { paint: { ...COLOR, type: 'string' } } });
  });

  it('has the type that the settings name, which come before the well-known one', async () => {
    project.schemas(contentType('car', { rating: RATING, paint: COLOR }));
    project.write(
      'edgewise.config.ts',
      `export default { customFields: { 'plugin::stars.rating': 'integer', 'plugin::color-picker.color': 'text' } };`,
    );
    const attributes = (await read()).contentTypes.get('api::car.car')?.attributes;
    expect(attributes?.get('rating')).toMatchObject({ type: 'integer', min: 1 });
    expect(attributes?.get('paint')).toMatchObject({ type: 'text' });
  });

  it('is refused by file, attribute and setting where its base type is not known', async () => {
    project.schemas(
      contentType('car', {
        rating: RATING,
        odd: { type: 'customField' },
        proto: { type: 'customField', customField: 'constructor' },
      }),
    );
    expect(await problems()).toEqual([
      `content-types/car/schema.json: attributes.rating.customField: a known custom field; the base type of "plugin::stars.rating" is not known. Add it to edgewise.config.ts, as the plugin registers it: customFields: { 'plugin::stars.rating': 'string' }`,
      'content-types/car/schema.json: attributes.odd.customField: the uid of a custom field, such as plugin::color-picker.color',
      expect.stringContaining('attributes.proto.customField: a known custom field; the base type of "constructor"'),
    ]);
  });

  it('is set by its uid and by a type that Strapi stores custom fields in', () => {
    expect(parseSettings({ customFields: { 'global::size': 'integer' } }).customFields).toEqual({
      'global::size': 'integer',
    });
    expect(() => parseSettings({ customFields: { size: 'integer' } })).toThrow(/customFields\.size: /);
    expect(() => parseSettings({ customFields: { 'global::size': 'media' as 'string' } })).toThrow(
      /customFields\.global::size: /,
    );
  });
});

describe('a polymorphic relation', () => {
  it('is taken from content types and components, and stands in an exported archive as it is', async () => {
    const any = { type: 'relation', relation: 'morphToMany' };
    const cars = { type: 'relation', relation: 'morphMany', target: 'api::car.car', morphBy: 'any' };
    project.schemas(contentType('car', { any, cars }), component('shared.part', { any }));
    const { contentTypes, components } = await read();
    expect(contentTypes.get('api::car.car')?.attributes.get('any')).toMatchObject({ kind: 'polymorphic' });
    expect(components.get('shared.part')?.attributes.get('any')).toMatchObject({ kind: 'polymorphic' });
    const lines = schemaLines((await readSchemaFiles(project.root)).files, (name) => `${name}s`);
    expect(lines.slice(-2)).toMatchObject([{ attributes: { any, cars } }, { attributes: { any } }]);
  });
});
