/**
 * @module Who may import whom: a row for each room of `src/`, in their order.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '../../src');

export interface Rule {
  /** Modules that may be imported, as prefixes: of `src/`, or of a package's name. */
  readonly values: readonly string[];
  /** Modules of which only types may be imported, besides. */
  readonly types?: readonly string[];
  /** What the table of the documentation says. */
  readonly shown?: string;
}

/** The modules that stand in a folder itself, without those of its rooms. */
const modulesIn = (folder: string): readonly string[] =>
  readdirSync(join(SRC, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replace('.ts', '')}`);

const named = (modules: readonly string[]): string => modules.map((module) => `\`${module}\``).join(', ');

const shownOf = (base: string, values: readonly string[], types: readonly string[]): string =>
  [base, ...(values.length > 0 ? [named(values)] : []), ...(types.length > 0 ? [`types of ${named(types)}`] : [])]
    .filter((text) => text !== '')
    .join(', ');

const rule = (values: readonly string[], types: readonly string[] = []): Rule => ({
  values,
  types,
  shown: values.length > 0 ? shownOf('', values, types) : 'nothing',
});

/** A rule that allows more than another. @param base how the documentation calls the other */
const above = (other: Rule, base: string, values: readonly string[], types: readonly string[] = []): Rule => ({
  values: [...other.values, ...values],
  types: [...(other.types ?? []), ...types],
  shown: shownOf(base, values, types),
});

/** A Worker gets validated settings, so it has what they mean, and only the types of the rest. */
const SCHEMA: Rule = {
  values: ['common/', ...modulesIn('schema'), 'schema/settings/derived', 'schema/settings/picture-values'],
  types: ['schema/settings/'],
};
const MODEL = above(SCHEMA, '', ['content/request/', 'content/plan/model/']);
const PLAN_TYPES = ['content/plan/', 'content/request/'];
/** Its rooms, credentials and features build on the modules that stand in `content/sql/` itself. */
const SQL = above(SCHEMA, '', ['content/plan/model/', ...modulesIn('content/sql'), 'drizzle-orm'], PLAN_TYPES);
const PIPELINE = above(SCHEMA, '', ['access/', 'content/']);
const HTTP = above(PIPELINE, '', ['http/', 'hono', '@hono/', 'features/description/', 'zod/', 'drizzle-orm']);

const schema = (values: readonly string[], types: readonly string[] = []) => above(SCHEMA, 'schema', values, types);
const model = (values: readonly string[]) => above(MODEL, 'schema, requests, `content/plan/model/`', values);
const sql = (values: readonly string[]) => above(SQL, 'SQL', values);
const feature = (name: string, ...others: readonly string[]) =>
  above(HTTP, 'what features may', [`features/${name}/`, ...others]);

/** By the name of a module, or the beginning of the names of several; the longest one counts. */
export const RULES: Readonly<Record<string, Rule>> = {
  'common/digest.ts': rule(['node:crypto']),
  'common/': rule(['common/']),
  'schema/settings/derived.ts': rule([]),
  'schema/settings/picture-values.ts': rule([]),
  'schema/settings/': rule(
    ['common/json', 'common/near-words', 'common/plural', 'schema/settings/', 'zod/'],
    ['schema/fields'],
  ),
  'schema/': { ...rule(['common/', ...modulesIn('schema'), 'zod/']), shown: '`common/`, `schema/`, `zod/`' },
  'access/': schema(['access/']),
  'content/request/': schema(['content/request/', 'qs']),
  'content/plan/model/': model([]),
  'content/plan/read/': model(['access/', 'content/plan/read/', 'node:buffer']),
  'content/plan/relations/': model(['content/plan/relations/']),
  'content/plan/validate/': model(['access/', 'content/plan/relations/', 'content/plan/validate/']),
  'content/plan/write/': model(['content/plan/']),
  'content/sql/read/': sql(['content/sql/read/']),
  'content/sql/write/': sql(['content/sql/read/', 'content/sql/write/']),
  'content/sql/': sql([]),
  'content/document/': schema(['content/document/', 'content/plan/model/node-kinds'], [...PLAN_TYPES, 'content/sql/']),
  'content/credentials/sql/': sql(['content/credentials/sql/']),
  'content/credentials/': schema(
    [
      ...['access/', 'content/credentials/', 'content/sql/compiled', 'schema/settings/grant-setting'],
      ...['node:buffer', 'node:crypto', 'hono/utils/jwt/jwt', 'bcryptjs'],
    ],
    ['content/sql/'],
  ),
  'content/runtime/': schema(['access/', 'content/']),
  'content/operations/': schema(['access/', 'content/', 'zod/']),
  'http/deployment.ts': schema(['access/', 'content/', 'http/'], ['features/']),
  'http/': schema(['access/', 'content/', 'http/', 'hono', '@hono/', 'zod/']),
  'features/description/': feature('description'),
  'features/files/': feature(
    'files',
    ...['multipasta', 'image-dimensions', 'file-type-mime', 'thumbhash', 'node:buffer', 'node:crypto'],
  ),
  'features/history/': feature('history'),
  'features/mcp/': feature('mcp', 'features/files/routes', 'node:buffer'),
  'features/oauth/': feature('oauth', 'features/users/', 'node:buffer'),
  'features/own-code/': feature('own-code', 'features/users/'),
  'features/preview/': feature('preview', 'features/own-code/', 'node:buffer', 'node:crypto'),
  'features/publication/': feature('publication'),
  'features/users/': feature('users', 'features/history/sql/table'),
  'features/users/providers/': feature('users', 'oauth4webapi'),
  'features/webhooks/': feature('webhooks', 'node:buffer', 'node:crypto'),
  'features.ts': above(HTTP, 'what features may', ['features/']),
  'deployment.ts': above(HTTP, 'what features may', ['features', 'features/own-code/']),
  'tables.ts': rule(['content/sql/system-tables', 'features/']),
  'app.ts': above(HTTP, 'what features may', ['features/own-code/']),
  'worker.ts': above(HTTP, 'what features may', ['app', 'deployment', 'features/own-code/', 'schema/settings/config']),
};

/** Returns the rule of a module, by the longest prefix. */
export const ruleOf = (file: string): Rule | undefined =>
  RULES[
    Object.keys(RULES)
      .filter((room) => file.startsWith(room))
      .toSorted((a, b) => b.length - a.length)[0] ?? ''
  ];
