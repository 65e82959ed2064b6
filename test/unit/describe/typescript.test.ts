/**
 * @module The client types, judged by the TypeScript compiler.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeTypes } from '../../../cli/project/client-types.ts';
import { OPERATORS } from '../../../src/content/request/operators.ts';
import { pascalCase } from '../../../src/features/description/shapes.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { magazine, reversedMagazine } from './fixture.ts';

const TSC = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url).href);
const STRICT = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
const MODULES = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022', '--types', ''];

/** Source lines of type-level assertions: the two types are the same. */
const same = (pairs: Readonly<Record<string, string>>): string => {
  const equal =
    'type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;';
  const lines = Object.entries(pairs).map(([a, b], index) => `export const a${index}: Equal<${a}, ${b}> = true;`);
  return [equal, ...lines].join('\n');
};

/** Each line is refused: an expected error that does not come is one itself. */
const refused = (lines: readonly string[]): string => lines.map((line) => `// @ts-expect-error\n${line}`).join('\n');

const USAGES: Readonly<Record<string, string>> = {
  'refuses documents and bodies that the API would never answer or take': refused([
    'export const a: C.AuthorInput = { active: true };',
    'export const b: C.ArticleInput = { title: null };',
    "export const c: C.ArticleInput = { title: 'x', tone: 'loud' };",
    "export const d: C.ArticleInput = { title: 'x', links: null };",
    "export const e: C.ArticleInput = { title: 'x', createdAt: '2024-01-01' };",
    "export const f: C.ArticleInput = { title: 'x', sections: [{ __component: 'shared.seo', metaTitle: 'x' }] };",
    "export const g: C.ArticleInput = { title: 'x', seo: {} };",
    'export const h = (article: C.Article) => article.accessCode;',
    'export const i = (article: C.Article) => article.notes;',
    'export const j = (article: C.Article) => article.createdBy;',
    'export const k = (author: C.Author) => author.locale;',
    'export const l = (user: C.UsersPermissionsUser) => user.password;',
    'export const m = (article: C.Created<C.Article>) => article.id;',
    "export const n: C.ContentTypes['homepage']['create'] = { heading: 'x' };",
    "export const o: C.BatchRequest = { method: 'POST', path: 'authors', body: { data: {} } };",
    'export type FromTheDescription = C.Broken;',
  ]),
  'types scalars with null where a value may be missing': same({
    "C.Article['id']": 'number',
    "C.Article['documentId']": 'string',
    "C.Article['title']": 'string',
    "C.Article['summary']": 'string | null',
    "C.Article['tone']": `"it's" | 'in-depth'`,
    "C.Article['views']": 'string | null',
    "C.Article['rating']": 'number | null',
    "C.Article['body']": 'C.BlocksContent | null',
    "C.Article['extra']": 'unknown',
    "C.Article['odd-name']": 'string | null',
    "C.Article['locale']": 'string',
    "C.Article['createdAt']": 'string',
    "C.Author['active']": 'boolean',
    "C.UploadFile['alternativeText']": 'string | null',
    "C.UploadFile['formats']": '{ [size: string]: C.FileFormat } | null',
  }),
  'lets a draft lack what publication needs, also in components': same({
    "C.Article<'draft'>['title']": 'string | null',
    "C.Article<'draft'>['publishedAt']": 'null',
    "C.Article['publishedAt']": 'string',
    "C.Author<'draft'>['name']": 'string',
    "C.ContentTypes['articles']['action']": 'C.PublicationAction',
    "C.ContentTypes['authors']['action']": 'never',
    "C.BatchRequest['method']": "'POST' | 'PUT' | 'DELETE'",
    "NonNullable<C.Article<'draft'>['seo']>['metaTitle']": 'string | null',
    "NonNullable<C.Article['seo']>['metaTitle']": 'string',
  }),
  'makes what only populate brings optional': same({
    "C.Article['author']": 'C.Author | null | undefined',
    "C.Author['articles']": 'C.Article[] | undefined',
    "C.Author['account']": 'C.UsersPermissionsUser | null | undefined',
    "C.Article['cover']": 'C.UploadFile | null | undefined',
    "C.Article['gallery']": 'C.UploadFile[] | undefined',
    "C.Article['seo']": 'C.SharedSeo | null | undefined',
    "C.Article['links']": 'C.SharedLink[] | undefined',
    "C.Article['localizations']": 'C.Article[] | undefined',
    "C.Homepage['main']": 'never[] | undefined',
  }),
  'tells the components of a dynamic zone apart by __component': `
      export function words(article: C.Article): (string | null)[] {
        return (article.sections ?? []).map((section) => {
          switch (section.__component) {
            case 'blocks.quote': return section.text;
            case 'shared.link': return section.label;
            default: return section satisfies never;
          }
        });
      }`,
  'takes every form of a body that Strapi takes': `
      export const bodies: C.ArticleInput[] = [
        { title: 'x' },
        { title: 'x', accessCode: 'secret', notes: 'private', views: 5, author: null, seo: null, links: [], extra: [1] },
        { title: 'x', author: 'documentid', cover: 7, gallery: [7, { id: 8 }, 'documentid'] },
        { title: 'x', author: { connect: { documentId: 'd', locale: 'fr' } }, gallery: { set: [] } },
        { title: 'x', gallery: { connect: [{ id: 3, position: { before: 'd' } }], disconnect: ['e'] } },
        { title: 'x', seo: { id: 4 }, links: [{ label: 'a' }, { id: 5, weight: 2 }] },
        { title: 'x', sections: [{ __component: 'blocks.quote', speaker: 'd' }, { __component: 'shared.link', id: 6 }] },
        { title: 'x', body: [{ type: 'list', format: 'ordered', children: [{ type: 'list-item', children: [] }] }] },
      ];
      export const update: C.ContentTypes['articles']['update'] = { summary: null };
      export const draft: C.DraftInput<C.ArticleInput> = { title: null, seo: {}, links: [{ weight: 2 }] };
      export const whole: C.DraftInput<C.ArticleInput> = bodies[0] ?? {};`,
  'has every operator in the filters of a text, and those of other values in theirs': same({
    'keyof C.TextOperators<string>': Object.keys(OPERATORS)
      .map((name) => `'${name}'`)
      .join(' | '),
    "C.ArticleFilters['title']": 'C.TextFilter | undefined',
    "C.ArticleFilters['tone']": `C.TextFilter<"it's" | 'in-depth'> | undefined`,
    "C.ArticleFilters['author']": 'C.AuthorFilters | C.RelationFilter | undefined',
    "Extract<keyof C.ArticleFilters, 'accessCode' | 'notes' | 'sections' | '$or'>": "'$or'",
    "C.ContentTypes['articles']['draftModel']['populate']['author']": "C.AuthorModel<'draft'>",
  }),
  'maps path segments to the types that are served there': same({
    'keyof C.ContentTypes': "'articles' | 'authors' | 'homepage'",
    "C.ContentTypes['articles']['document']": 'C.Article',
    "C.ContentTypes['articles']['draft']": "C.Article<'draft'>",
    "C.ContentTypes['articles']['create']": 'C.ArticleInput',
    "C.ContentTypes['homepage']['create']": 'never',
    "C.ContentTypes['homepage']['kind']": "'singleType'",
  }),
};

/** Content types and components with names that mean something in TypeScript, and code that uses them. */
function oddlyNamed(): readonly [types: string, usage: string] {
  const names = ['s', 'status', 'partial', 'omit', 'missing', 'record', 'array', 'string', 'content-types', 'created'];
  const other = { type: 'relation', relation: 'oneToMany', target: 'api::s.s' };
  const word = { type: 'string', required: true };
  const quote = { type: 'enumeration', enum: ['a"b', "c'd", 'e\\f', '$' + '{g}', '`'] };
  const registry = registryOf(
    names.map((name) => contentType(name, { other, word, class: quote }, { plural: `${name}-list`, drafts: true })),
    [component('2024.x', { inner: { type: 'component', component: '部品.y' } }), component('部品.y', { word })],
  );
  const usage = names
    .map((name, index) => `export const v${index} = (d: C.${pascalCase(name)}2): C.S2[] | undefined => d.other;`)
    .filter((_, index) => !['record', 'array', 'string'].includes(names[index] ?? ''))
    .join('\n');
  return [describeTypes(registry, parseSettings({})), usage];
}

const ODD = 'compiles whatever content types and components are called';

/** What the compiler says, which reads all files at once. */
let complaints: readonly string[];

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-types-'));
  const write = (name: string, types: string, usage: string) => {
    writeFileSync(join(folder, `${name}.ts`), `import type * as C from './${types}';\n${usage}`);
    return `${name}.ts`;
  };
  const [oddTypes, oddUsage] = oddlyNamed();
  writeFileSync(join(folder, 'content.d.ts'), describeTypes(magazine(), parseSettings({})));
  writeFileSync(join(folder, 'odd.d.ts'), oddTypes);
  const files = Object.entries(USAGES).map(([name, usage]) => write(name.replaceAll(' ', '-'), 'content', usage));
  files.push(write(ODD.replaceAll(' ', '-'), 'odd', oddUsage), 'content.d.ts', 'odd.d.ts');
  const { stdout, stderr } = spawnSync(process.execPath, [TSC, ...STRICT, ...MODULES, ...files], {
    cwd: folder,
    encoding: 'utf8',
  });
  // A compiler that does not start says so elsewhere.
  complaints = (stdout + stderr).split(/\n(?! )/).filter((line) => line !== '');
  rmSync(folder, { recursive: true });
});

describe('describeTypes', () => {
  it.each([...Object.keys(USAGES), ODD])('%s', (name) => {
    const files = [`${name.replaceAll(' ', '-')}.ts`, 'content.d.ts', 'odd.d.ts'];
    expect(complaints.filter((line) => files.some((file) => line.startsWith(file)))).toEqual([]);
  });

  it('is judged by a compiler that finds nothing else', () => {
    expect(complaints).toEqual([]);
  });

  it('does not depend on the order in which files were read', () => {
    expect(describeTypes(reversedMagazine(), parseSettings({}))).toBe(describeTypes(magazine(), parseSettings({})));
  });
});
