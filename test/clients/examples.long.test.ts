/**
 * @module The examples of docs/clients.md, compiled in strict mode with the types of the demo, `edgewise-client` and `@strapi/client`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeTypes } from '../../cli/project/client-types.ts';
import { TYPES } from '../../cli/project/generate.ts';
import demo from '../../edgewise.config.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { demoRegistry } from '../support/demo-registry.ts';
import { exampleFiles } from '../support/examples.ts';

const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/.bin/tsc');
const OPTIONS = {
  ...{
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
  },
  ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['ES2024', 'DOM'], jsx: 'react-jsx' },
  allowImportingTsExtensions: true,
  paths: { 'edgewise-client': [join(ROOT, 'client/index.ts')], 'edgewise-client/*': [join(ROOT, 'client/*.ts')] },
};

/** What the frameworks declare, as far as the examples use it. */
const FRAMEWORKS = `
declare module 'next/navigation' { export function notFound(): never }
declare module 'astro:content' {
  export function defineCollection<T extends { loader: { load(context: never): Promise<void> } }>(collection: T): T;
  export function defineLiveCollection<T extends { loader: { loadEntry: unknown } }>(collection: T): T;
}
declare module 'astro:env/server' { export function getSecret(name: string): string | undefined }
declare module 'openapi-fetch' {
  interface Options { baseUrl: string; querySerializer(query: Record<string, unknown>): string }
  interface Client<Paths> { GET(path: keyof Paths, request: { params: { query: object } }): Promise<unknown> }
  export default function createClient<Paths>(options: Options): Client<Paths>;
}
declare module 'qs' {
  const qs: { stringify(value: object, options: { encodeValuesOnly: boolean }): string };
  export default qs;
}
declare function useAsyncData<T>(key: string, load: () => Promise<T>): Promise<{ data: { value: T | null } }>;
`;

let folder = '';

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const examples = exampleFiles();

/** What the compiler says; '' when it is content. */
function compile(...paths: readonly string[]): string {
  const files = ['frameworks.d.ts', join(ROOT, 'client/frameworks.d.ts'), ...paths];
  write('tsconfig.json', JSON.stringify({ compilerOptions: OPTIONS, files }));
  try {
    return execFileSync(process.execPath, [TSC, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout);
  }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-examples-'));
  symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'), 'dir');
  write(TYPES, describeTypes(demoRegistry, parseSettings(demo)));
  write('frameworks.d.ts', FRAMEWORKS);
  write('lib/api-types.ts', "export interface paths { '/api/articles': object }\n");
  for (const [path, text] of examples) write(path, text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the examples for clients', () => {
  it('are those of three frameworks and of what they share', () => {
    expect([...examples.keys()]).toEqual([
      'lib/client.ts',
      'lib/writes.ts',
      'lib/content.ts',
      'lib/api.ts',
      'lib/media.ts',
      'app/client.ts',
      'app/articles/[slug]/page.tsx',
      'composables/articles.ts',
      'src/content.config.ts',
      'src/live.config.ts',
      'src/pages/api/revalidate.ts',
    ]);
  });

  it('compile in strict mode', () => {
    expect(compile(...examples.keys())).toBe('');
  });

  it('let the compiler find what is wrong about a content type', () => {
    const uses = [
      "await first('articles', {}).then((article) => article?.titel);",
      "await first('articles', {}).then((article) => article?.author.name);",
      "await create('articles', { title: 'no slug' });",
      "await create('articles', { title: 1, slug: 'x' });",
      "await list('homepage');",
      "await single('articles');",
      'await client.articles.find().then(({ data }) => data[0]?.author);',
      "await client.articles.find({ filters: { rating: { $contains: '4' } } });",
    ];
    for (const [index, use] of uses.entries())
      write(
        `wrong-${index}.ts`,
        `import { client } from './lib/client'; import { create, first, list, single } from './lib/content';\n${use}\nexport { client, create, first, list, single };\n`,
      );
    const said = compile(...uses.map((_, index) => `wrong-${index}.ts`));
    expect(uses.map((_, index) => said.includes(`wrong-${index}.ts(2,`))).toEqual(uses.map(() => true));
  });
});
