/**
 * @module Names of the descriptions: unique, stable, and never those of helper types.
 */
import { describe, expect, it } from 'vitest';
import { HELPER_TYPES } from '../../../cli/project/client-types-helpers.ts';
import { type Grants, only } from '../../../src/access/grants.ts';
import { operandFilters } from '../../../src/features/description/openapi-filters.ts';
import { COMMON_SCHEMAS } from '../../../src/features/description/openapi-schemas.ts';
import { pascalCase, routedShapes, shapesOf } from '../../../src/features/description/shapes.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { magazine, reversedMagazine } from './fixture.ts';

const kebabCase = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

describe('shapesOf', () => {
  it('gives no shape the name of a helper type, of a common schema or of a global type in use', () => {
    const declared = [...HELPER_TYPES.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name ?? '');
    const helpers = [...declared, ...Object.keys(COMMON_SCHEMAS), ...Object.keys(operandFilters())];
    const names = [...helpers, 'ContentTypes', 'Partial', 'Omit', 'S'];
    expect(declared.length).toBeGreaterThan(10);
    for (const name of names) {
      const [shape] = shapesOf(registryOf([contentType(kebabCase(name), {})])).all;
      expect(pascalCase(kebabCase(name))).toBe(name);
      expect(shape?.name).toBe(`${name}2`);
    }
  });

  it('keeps apart names that differ in their separators only', () => {
    const registry = registryOf(
      [contentType('shared-seo', {})],
      [component('shared.seo', {}), component('a.b-c', {}), component('a-b.c', {})],
    );
    const names = shapesOf(registry).all.map(({ uid, name }) => [uid, name]);
    expect(names).toEqual([
      ['api::shared-seo.shared-seo', 'SharedSeo'],
      ['plugin::upload.file', 'UploadFile'],
      ['plugin::upload.folder', 'UploadFolder'],
      ['plugin::users-permissions.role', 'UsersPermissionsRole'],
      ['plugin::users-permissions.user', 'UsersPermissionsUser'],
      ['a-b.c', 'ABC'],
      ['a.b-c', 'ABC2'],
      ['shared.seo', 'SharedSeo2'],
    ]);
  });

  it('keeps a content type apart from the input of another', () => {
    const { all } = shapesOf(registryOf([contentType('article', {}), contentType('article-input', {})]));
    expect(all.slice(0, 2).map(({ name }) => name)).toEqual(['Article', 'ArticleInput2']);
    const later = shapesOf(registryOf([contentType('a-b-input', {})], [component('a.b', {})]));
    expect([later.of('api::a-b-input.a-b-input').name, later.of('a.b').name]).toEqual(['ABInput', 'AB2']);
  });

  it.each(['Input', 'Update', 'Created', 'Filters', 'Fields', 'Typed', 'Model'])(
    'keeps a content type apart from what another adds as %s',
    (suffix) => {
      const { all } = shapesOf(registryOf([contentType('note', {}), contentType(`note-${suffix.toLowerCase()}`, {})]));
      expect(all.slice(0, 2).map(({ name }) => name)).toEqual(['Note', `Note${suffix}2`]);
    },
  );

  it('makes an identifier of any component path', () => {
    expect(pascalCase('2024.big-seo')).toBe('_2024BigSeo');
    expect(pascalCase('部品.見出し')).toBe('_');
  });

  it('does not depend on the order in which files were read', () => {
    const uids = shapesOf(magazine()).all.map(({ uid, name }) => [uid, name]);
    expect(shapesOf(reversedMagazine()).all.map(({ uid, name }) => [uid, name])).toEqual(uids);
  });

  it('limits types, and neither components nor files, for a caller with limited grants', () => {
    const fields = new Set(['title']);
    const rule = () => ({ key: 'title', caller: { user: undefined, now: 0 }, fields });
    const limited = { ...only(['api::article.article.find']), rule };
    const registry = magazine();
    const namesOf = (uid: string, grants?: Grants) =>
      shapesOf(registry, grants)
        .of(uid)
        .shown.map(({ name }) => name);
    expect(namesOf('api::article.article', limited)).toEqual(['title']);
    for (const uid of [...registry.components.keys(), 'plugin::upload.file'])
      expect(namesOf(uid, limited)).toEqual(namesOf(uid, only([])));
    expect(namesOf('plugin::upload.file', limited)).toContain('url');
  });

  it.each(['find', 'create', 'update', 'publish'])('limits a type for a caller with a limited %s alone', (action) => {
    const rule = () => ({ key: 'title', caller: { user: undefined, now: 0 }, fields: new Set(['title']) });
    const grants = { ...only([`api::article.article.${action}`]), rule };
    const { shown } = shapesOf(magazine(), grants).of('api::article.article');
    expect(shown.map(({ name }) => name)).toEqual(['title']);
  });

  it('limits what is shown by the grants to read, if there are any', () => {
    const rule = (id: string) => {
      const fields = new Set([id.endsWith('.find') ? 'title' : 'summary']);
      return { key: id, caller: { user: undefined, now: 0 }, fields };
    };
    const grants = { ...only(['find', 'update'].map((name) => `api::article.article.${name}`)), rule };
    const { shown, written } = shapesOf(magazine(), grants).of('api::article.article');
    expect([shown, written].map((all) => all.map(({ name }) => name))).toEqual([['title'], ['summary']]);
  });

  it('requires no attribute with a condition', () => {
    const visible = { '==': [{ var: 'tone' }, 'calm'] };
    const text = { type: 'string', required: true };
    const registry = registryOf([contentType('note', { tone: text, link: { ...text, conditions: { visible } } })]);
    const { written } = shapesOf(registry).of('api::note.note');
    expect(written.filter(({ required }) => required).map(({ name }) => name)).toEqual(['tone']);
  });

  it('has types, files and users as targets of polymorphic relations, and neither components nor other types', () => {
    const { targets } = shapesOf(magazine());
    expect(targets.map(({ name }) => name)).toEqual([
      ...['Article', 'Author', 'Homepage', 'UploadFile', 'UsersPermissionsUser'],
    ]);
  });

  it('leaves API tokens out and routes no system type', () => {
    const registry = magazine();
    const shapes = shapesOf(registry);
    expect(shapes.all.map(({ uid }) => uid)).not.toContain('admin::api-token');
    expect(routedShapes(registry, shapes).map(([segment]) => segment)).toEqual(['articles', 'authors', 'homepage']);
  });
});
