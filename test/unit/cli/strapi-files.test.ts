import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { notTaken } from '../../../cli/new/strapi-code.ts';
import { readStrapiFiles, withoutUnfitRelations } from '../../../cli/new/strapi-files.ts';
import { USER_FILE } from '../../../cli/project/project.ts';
import { buildRegistry } from '../../../src/schema/build.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { type Attributes, contentType, userFile } from '../../support/schema-files.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

let strapi: ScratchProject;
beforeEach(() => {
  strapi = scratchProject();
  return () => strapi.remove('.');
});

const typeText = (name: string, attributes: Attributes) => JSON.stringify(contentType(name, attributes).json);

describe('the schema files of a Strapi project', () => {
  it('are rejected if the folder does not exist, has no content types, or has a file that is not JSON', () => {
    expect(() => readStrapiFiles(join(strapi.root, 'nowhere'))).toThrow('there is no such folder');
    expect(() => readStrapiFiles(strapi.root)).toThrow('expected a Strapi project, with src/api/');
    strapi.write('src/api/book/content-types/book/schema.json', '{');
    expect(() => readStrapiFiles(strapi.root)).toThrow(/schema\.json is not JSON/);
  });

  it('are read as content types, components and the attributes of users', () => {
    const attributes = { title: { type: 'string' }, seo: { type: 'component', component: 'shared.seo' } };
    strapi.write('src/api/book/content-types/book/schema.json', `\uFEFF${typeText('book', attributes)}`);
    strapi.write('src/components/shared/seo.json', JSON.stringify({ info: {}, attributes: {} }));
    const users = userFile({ nickname: { type: 'string' } });
    strapi.write('src/extensions/users-permissions/content-types/user/schema.json', JSON.stringify(users.json));
    const { contentTypes, components, user } = readStrapiFiles(strapi.root);
    expect(contentTypes).toMatchObject([{ path: 'content-types/book/schema.json', json: { attributes } }]);
    expect(components.map(({ path }) => path)).toEqual(['content-types/components/shared/seo.json']);
    expect(user).toEqual({ path: USER_FILE, json: users.json });
  });

  it('name a content type after its singular name, and relations of other files lead to that name', () => {
    const post = { type: 'relation', relation: 'manyToMany', target: 'api::blog.post' };
    strapi.write('src/api/blog/content-types/post/schema.json', typeText('post', { next: { ...post } }));
    strapi.write('src/api/blog/content-types/tag/schema.json', typeText('tag', { posts: { ...post } }));
    strapi.write('src/components/shared/teaser.json', JSON.stringify({ info: {}, attributes: { posts: { ...post } } }));
    const { contentTypes, components } = readStrapiFiles(strapi.root);
    const files = [...contentTypes, ...components].map(({ json }) => JSON.stringify(json));
    expect(files).toHaveLength(3);
    expect(files.filter((text) => text.includes('"api::post.post"') && !text.includes('api::blog.post'))).toEqual(
      files,
    );
  });

  it('lack relations to what is not here, with a note of each', () => {
    const to = (target: string) => ({ type: 'relation', relation: 'oneToOne', target });
    const attributes = { editor: to('admin::user'), language: to('plugin::i18n.locale') };
    const kept = {
      owner: to('plugin::users-permissions.user'),
      cover: to('plugin::upload.file'),
      next: to('api::book.book'),
    };
    strapi.write('src/api/book/content-types/book/schema.json', typeText('book', { ...attributes, ...kept }));
    strapi.write('src/components/shared/seo.json', JSON.stringify({ attributes }));
    const { files, notes } = withoutUnfitRelations(readStrapiFiles(strapi.root));
    expect(files.contentTypes).toMatchObject([{ json: { attributes: kept } }]);
    expect(
      [files.contentTypes, files.components]
        .flat()
        .map(({ json }) => JSON.stringify(json))
        .join(),
    ).not.toMatch(/admin|i18n\./);
    expect(notes).toEqual(
      ['book/schema.json', 'components/shared/seo.json'].flatMap((path) => [
        `content-types/${path}: editor is a relation to admin::user, which is not there; left out`,
        `content-types/${path}: language is a relation to plugin::i18n.locale, which is not there; left out`,
      ]),
    );
    buildRegistry(files, CHECKED);
  });

  it('are rejected if two content types are in folders of the same name', () => {
    for (const api of ['blog', 'news'])
      strapi.write(`src/api/${api}/content-types/post/schema.json`, typeText(api, {}));
    expect(() => readStrapiFiles(strapi.root)).toThrow(
      'src/api/blog/content-types/post/schema.json and src/api/news/content-types/post/schema.json would both be content-types/post/schema.json',
    );
  });

  it('are listed without the attributes of other plugins, which are named with a replacement', () => {
    strapi.write('src/extensions/upload/content-types/file/schema.json', '{}');
    const lines = notTaken(strapi.root);
    expect(lines.join('\n')).toContain('src/extensions/upload/content-types/file/schema.json: of the types of plugins');
    expect(lines.at(-1)).toContain('npx strapi export');
  });
});
