/**
 * @module Who may import whom, and what may be written where. A change here is a change of the design.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../src');

interface Rule {
  /** Modules that may be imported, as prefixes: of `src/`, or of a package's name. */
  readonly values: readonly string[];
  /** Modules of which only types may be imported, besides. */
  readonly types?: readonly string[];
}

/** A Worker gets validated settings, so it has only the types of these modules. */
const SCHEMAS = ['config', 'grant-setting'];

/** The way of a request up to those who run it. */
const STAGES = [
  'errors',
  'digest',
  'json',
  'cache',
  'settings',
  'registry/',
  'request/',
  'plan/',
  'sql/',
  'document/',
  'auth/',
  'execute/',
];

/** The modules that stand in `sql/` itself: its rooms build on them. */
const SQL_CORE = [
  'errors',
  'json',
  'cache',
  'drizzle-orm',
  ...readdirSync(join(SRC, 'sql'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `sql/${name.replace('.ts', '')}`),
];

const RULES: Readonly<Record<string, Rule>> = {
  'digest.ts': { values: ['node:crypto'] },
  'json.ts': { values: [] },
  'cache.ts': { values: [] },
  'errors.ts': { values: [] },
  'setting-values.ts': { values: ['zod/'] },
  'limits.ts': { values: ['zod/', 'setting-values'] },
  'strapi-defaults.ts': { values: ['json'] },
  'webhook-setting.ts': { values: ['zod/', 'setting-values', 'settings'] },
  'settings.ts': { values: [] },
  'grant-setting.ts': { values: ['zod/'] },
  'config.ts': {
    values: ['zod/', 'grant-setting', 'limits', 'setting-values', 'settings', 'strapi-defaults', 'webhook-setting'],
  },
  registry: { values: ['errors', 'json', 'json-logic-js', 'cache', 'registry/', 'zod/'] },
  request: { values: ['errors', 'json', 'settings', 'request/', 'qs'] },
  'plan/model': { values: ['errors', 'json', 'cache', 'registry/', 'request/', 'plan/model/'] },
  'plan/read': {
    values: [
      'errors',
      'json',
      'digest',
      'cache',
      'settings',
      'registry/',
      'request/',
      'auth/grants',
      'plan/model/',
      'plan/read/',
      'node:buffer',
    ],
    types: ['auth/rule'],
  },
  'plan/relations': { values: ['errors', 'json', 'cache', 'registry/', 'request/', 'plan/model/', 'plan/relations/'] },
  'plan/validate': {
    values: [
      'errors',
      'json',
      'cache',
      'settings',
      'registry/',
      'request/',
      'auth/grants',
      'plan/model/',
      'plan/relations/',
      'plan/validate/',
    ],
  },
  'plan/write': { values: ['errors', 'json', 'settings', 'registry/', 'request/', 'plan/'] },
  sql: { values: [...SQL_CORE, 'registry/', 'plan/model/'], types: ['plan/', 'request/'] },
  'sql/accounts': { values: [...SQL_CORE, 'registry/', 'sql/accounts/'], types: ['plan/', 'request/'] },
  'sql/read': { values: [...SQL_CORE, 'registry/', 'plan/model/', 'sql/read/'], types: ['plan/', 'request/'] },
  'sql/write': {
    values: [...SQL_CORE, 'registry/', 'plan/model/', 'sql/read/', 'sql/write/'],
    types: ['plan/', 'request/'],
  },
  document: { values: ['errors', 'json', 'cache', 'registry/', 'document/'], types: ['plan/', 'request/', 'sql/'] },
  auth: {
    values: [
      'errors',
      'grant-setting',
      'digest',
      'cache',
      'settings',
      'registry/',
      'sql/compiled',
      'sql/accounts/credentials',
      'auth/',
      'node:buffer',
      'node:crypto',
      'hono/utils/jwt/jwt',
      'bcryptjs',
    ],
    types: ['sql/'],
  },
  execute: { values: STAGES },
  users: {
    values: [...STAGES, 'users/'],
    types: ['zod/'],
  },
  describe: {
    values: [
      'json',
      'settings',
      'registry/',
      'request/operators',
      'request/publication-filters',
      'auth/actions',
      'auth/grants',
      'describe/',
      'zod/',
    ],
  },
  upload: { values: [...STAGES, 'upload/', 'multipasta', 'image-dimensions', 'file-type-mime'] },
  webhooks: { values: [...STAGES, 'webhooks/', 'node:buffer', 'node:crypto'], types: ['webhook-setting'] },
  extensions: { values: [...STAGES, 'content-api', 'extensions/'] },
  routes: {
    values: [
      'errors',
      'digest',
      'cache',
      'settings',
      'content-api',
      'content-batch',
      'registry/',
      'request/',
      'auth/',
      'execute/',
      'users/',
      'upload/',
      'describe/',
      'extensions/',
      'sql/batch',
      'sql/compiled',
      'routes/',
      'webhooks/deliver',
      'hono',
      '@hono/',
    ],
    types: ['document/', 'zod/'],
  },
  'content-api.ts': { values: STAGES },
  'content-batch.ts': { values: STAGES },
  'app.ts': {
    values: ['errors', 'settings', 'auth/actions', 'execute/caches', 'extensions/hooks', 'routes/', 'hono', 'zod/'],
  },
  'worker.ts': {
    values: ['app', 'config', 'errors', 'registry/', 'routes/scheduled'],
    types: ['extensions/', 'routes/extension-types'],
  },
};

interface Import {
  readonly module: string;
  readonly typesOnly: boolean;
}

const IMPORT = /^(?:import|export) (type )?(?:([^'";]+?) from )?'([^']+)';/gms;

/** `./x.ts` as seen from src/, packages by their name. */
function resolved(specifier: string, file: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return relative(SRC, join(SRC, dirname(file), specifier)).replace(/\.ts$/, '');
}

function importsOf(file: string, text: string): readonly Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, names = '', specifier = '']) => {
    const inner = /^\{(.*)\}$/s
      .exec(names.trim())?.[1]
      ?.split(',')
      .filter((name) => name.trim() !== '');
    const typesOnly = type !== undefined || inner?.every((name) => name.trim().startsWith('type ')) === true;
    return { module: resolved(specifier, file), typesOnly };
  });
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));
/** What the Worker is made of: the rest runs in Node, or in tests of a project. */
const served = files.filter(({ file }) => !/^(cli|testing)\//.test(file));

const startsWithOne = (module: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => module === prefix || module.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`));

const offences = (pattern: RegExp, but: readonly string[] = [], among = served): string[] =>
  among.filter(({ file, text }) => pattern.test(text) && !startsWithOne(file, but)).map(({ file }) => file);

/** `a → b → a`, for each way that leads back to where it began. */
function circlesIn(imports: ReadonlyMap<string, Iterable<string>>): readonly string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) circles.push([...path.slice(path.indexOf(name)), name].join(' → '));
    if (done.has(name) || path.includes(name)) return;
    for (const next of imports.get(name) ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  for (const name of imports.keys()) visit(name, []);
  return circles;
}

describe('a module', () => {
  it('imports what the table allows it, and nothing else', () => {
    const wrong = served.flatMap(({ file, text }) => {
      const [folder = '', room] = file.split('/');
      const rule = RULES[file] ?? RULES[`${folder}/${room}`] ?? RULES[folder];
      if (!rule) return file === 'index.ts' ? [] : [`${file} is in no row of the table`];
      const types = [...(rule.types ?? []), ...(rule.values.includes('settings') ? SCHEMAS : [])];
      const allowed = ({ module, typesOnly }: Import) =>
        startsWithOne(module, rule.values) || (typesOnly && startsWithOne(module, types));
      const forbidden = importsOf(file, text).filter((item) => !allowed(item));
      return forbidden.map(({ module, typesOnly }) => `${file} imports ${typesOnly ? 'types of ' : ''}${module}`);
    });
    expect(wrong).toEqual([]);
  });

  it('imports none that imports it, not even for a type, by whatever way', () => {
    const imports = files.map(
      ({ file, text }) => [file.replace(/\.ts$/, ''), importsOf(file, text).map(({ module }) => module)] as const,
    );
    expect(circlesIn(new Map(imports))).toEqual([]);
  });

  it('of the command line stands in a folder that imports none which imports it', () => {
    const folders = new Map<string, Set<string>>();
    for (const { file, text } of files.filter(({ file }) => file.startsWith('cli/'))) {
      const lazy = [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, specifier = '']) => resolved(specifier, file));
      const modules = [...importsOf(file, text).map(({ module }) => module), ...lazy];
      const others = modules.filter((module) => module.startsWith('cli/') && dirname(module) !== dirname(file));
      folders.set(dirname(file), new Set([...(folders.get(dirname(file)) ?? []), ...others.map(dirname)]));
    }
    expect(folders.get('cli/import')).toContain('cli/core/archive');
    expect(circlesIn(folders)).toEqual([]);
  });

  it('is found by the pattern that looks for imports', () => {
    const found = served.flatMap(({ file, text }) => importsOf(file, text)).length;
    const written = served
      .map(({ text }) => text.match(/ from '/g)?.length ?? 0)
      .reduce((sum, count) => sum + count, 0);
    expect(found).toBe(written);
  });

  it('of the command line, or of the tests of a project, is imported by no module of the Worker', () => {
    expect(offences(/from '[./]*\/(cli|testing|test)\//)).toEqual([]);
  });

  it('of the command line imports no command and no work of one, except the program and the commands', () => {
    const cli = files.filter(({ file }) => file.startsWith('cli/'));
    expect(offences(/from '[./]*\/commands\//, ['cli/program.ts'], cli)).toEqual([]);
    expect(offences(/(from |import\()'[./]*\/work\//, ['cli/commands/'], cli)).toEqual([]);
  });

  it('that reads a command line loads nothing that takes long, so that help and refusals come at once', () => {
    const texts = new Map(files.map(({ file, text }) => [file.replace(/\.ts$/, ''), text]));
    const loaded = new Set(['cli/program']);
    for (const module of loaded)
      for (const { module: next, typesOnly } of importsOf(`${module}.ts`, texts.get(module) ?? ''))
        if (!typesOnly) loaded.add(next);
    const packages = [...loaded].filter((module) => !texts.has(module) && !module.startsWith('node:'));
    expect(packages).toEqual(['commander']);
  });

  it('says in its first line what it is', () => {
    expect(files.filter(({ text }) => !/^(#!.*\n)?\/\*\*\n \* @module /.test(text)).map(({ file }) => file)).toEqual(
      [],
    );
  });

  it('has at most 300 lines, except tables and what is generated', () => {
    const long = files.filter(({ text }) => text.split('\n').length > 301).map(({ file }) => file);
    expect(long.filter((file) => file !== 'registry/fields.ts')).toEqual([]);
  });
});

describe('D1', () => {
  it('is called by sql/batch.ts alone', () => {
    expect(offences(/\.(batch|prepare|withSession)\(|\bDB\.exec\(/, ['sql/batch.ts'])).toEqual([]);
  });

  it('is sent no text that is written elsewhere than in sql/', () => {
    const statement =
      /(?<!\/\/.*|\* .*)['"`]\s*(select|insert into|update|delete from)\s+[^'"`]*\b(from|into|set|where|")/i;
    expect(offences(statement, ['sql/'])).toEqual([]);
    expect(offences(/\bfrom 'drizzle-orm/, ['sql/'])).toEqual([]);
  });

  it('never gets a text that was not built of identifiers and bound values', () => {
    expect(
      offences(/\bnew (SQL|StringChunk)\(|\bsql\.(raw|fromList)\(|\.inlineParams\(/, [
        'sql/pieces.ts',
        'sql/render.ts',
      ]),
    ).toEqual([]);
  });

  it('gets SQL that sql/render.ts alone made text of', () => {
    expect(offences(/\bqueryChunks\b|\b(sqlToQuery|toSQL|toQuery)\(/, ['sql/render.ts'])).toEqual([]);
  });

  it('is never told of a table by a name that a content type may have', () => {
    const called = /\b(?:from|join) \$\{[^`]*?\} as "([^"]+)"|\b(?:target|link|source|item): `([^`]+)`/g;
    const names = served.flatMap(({ text }) =>
      [...text.matchAll(called)].map(([, name, level]) => name ?? level ?? ''),
    );
    expect(new Set(names).size).toBeGreaterThan(9);
    expect(names.filter((name) => !name.startsWith('$'))).toEqual([]);
  });

  it('is sent no text of a template that spans lines, which become spaces', () => {
    const templates = served.flatMap(({ text }) =>
      [...text.matchAll(/sql`([^`]*)`/g)].map(([, template = '']) => template),
    );
    expect(templates.filter((template) => template.includes('\n')).length).toBeGreaterThan(20);
    expect(templates.filter((template) => /^(?:[^']|'[^'\n]*')*'[^'\n]*\n/.test(template))).toEqual([]);
  });

  it('is asked no pattern that it would refuse', () => {
    expect(offences(/sql`[^`]*\b(like|glob)\b[^`]*`/i, ['sql/read/texts.ts'])).toEqual([]);
  });
});

describe('the pure stages', () => {
  const pure = served.filter(({ file }) => startsWithOne(file, ['registry/', 'request/', 'plan/', 'document/']));

  it('do not wait', () => {
    expect(offences(/\b(await|async|Promise)\b/, [], pure)).toEqual([]);
  });

  it('know neither the time nor chance', () => {
    expect(offences(/\b(Date\.now\(|new Date\(\)|Math\.random|crypto\.)/, [], pure)).toEqual([]);
  });

  it('do not write to the log', () => {
    expect(offences(/\bconsole\./, [], pure)).toEqual([]);
  });
});

describe('a test of the product', () => {
  const TEST = join(SRC, '../test');
  const tests = readdirSync(TEST, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('project/') && !file.includes('node_modules'))
    .map((file) => ({ file, text: readFileSync(join(TEST, file), 'utf8') }));

  it('imports nothing of the project in the root, which is whatever its owner makes of it', () => {
    expect(tests.length).toBeGreaterThan(300);
    expect(offences(/from '(\.\.\/)+(edgewise\.config|\.edgewise\/project)\.ts'/, [], tests)).toEqual([]);
  });
});

describe('the language', () => {
  it('is used without any, enum and namespace', () => {
    const code = files.map(({ file, text }) => ({
      file,
      text: text.replaceAll(/\/\*.*?\*\/|\/\/.*$|'[^'\n]*'|`[^`]*`/gms, ''),
    }));
    expect(offences(/(:|\bas|<)\s*any\b|^\s*(export )?(const )?(enum|namespace) /m, [], code)).toEqual([]);
  });
});

const STUDIO = join(import.meta.dirname, '../studio');

/** Each room may import those before it. */
const ROOMS = [
  'api',
  'model',
  'ui',
  'shell',
  'media',
  'document/fields',
  'document',
  'list',
  'explorer',
  'overview',
  '.',
];

const studio = globSync('**/*.{ts,tsx}', { cwd: STUDIO }).map((file) => ({
  file,
  text: readFileSync(join(STUDIO, file), 'utf8'),
}));

/** Returns the modules of Studio that a file imports at once. */
const roomsOf = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/^(?:import|export)[^;]*?from '(\.[^']+)'/gm)]
    .map(([, path = '']) => normalize(join(dirname(file), path)))
    .filter((path) => !path.startsWith('..'));

describe('a module of Studio', () => {
  it('imports rooms before its own', () => {
    const isAllowed = (from: string, to: string) =>
      from === to || (ROOMS.includes(to) && ROOMS.indexOf(to) < ROOMS.indexOf(from));
    const wrong = studio.flatMap(({ file, text }) =>
      roomsOf(file, text)
        .filter((path) => !isAllowed(dirname(file), dirname(path)))
        .map((path) => `${file} imports ${path}`),
    );
    expect(studio.length).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  it('never makes HTML of a text', () => {
    const pattern = /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/;
    expect(studio.filter(({ text }) => pattern.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('imports of the Worker only what is pure', () => {
    const outside = studio.flatMap(({ file, text }) =>
      [...text.matchAll(/from '(\.\.\/[^']*src\/[^']+)'/g)].map(([, path = '']) =>
        relative(join(STUDIO, '..'), join(STUDIO, dirname(file), path)),
      ),
    );
    expect([...new Set(outside)].toSorted()).toEqual(['src/registry/condition.ts', 'src/registry/email.ts']);
  });
});
