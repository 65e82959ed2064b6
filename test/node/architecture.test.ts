/**
 * @module Who may import whom, and what may be written where. A change here is a change of the design.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulesTable } from '../architecture/page.ts';
import { ruleOf } from '../architecture/rules.ts';
import { unionFaults } from '../architecture/unions.ts';

const ROOT = join(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');

interface Import {
  readonly module: string;
  readonly typesOnly: boolean;
}

const IMPORT = /^(?:import|export) (type )?(?:([^'";]+?) from )?'([^']+)'(?: with \{[^}]*\})?;/gms;

/** Modules are named from `src/`, those of the other rooms from the root. */
const OTHER_ROOMS = ['cli', 'client', 'create', 'testing'];
const isOfOtherRoom = (file: string): boolean => OTHER_ROOMS.some((room) => file.startsWith(`${room}/`));
const pathOf = (file: string): string => join(isOfOtherRoom(file) ? ROOT : SRC, file);

/** Returns the name of a module, and of a package as it is. */
function resolved(specifier: string, file: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const path = relative(ROOT, join(dirname(pathOf(file)), specifier));
  return path.replace(/^src\//, '').replace(/\.ts$/, '');
}

/** The modules that a file imports when it runs. */
const lazyImportsOf = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, specifier = '']) => resolved(specifier, file));

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

const files = [
  ...globSync('**/*.ts', { cwd: SRC }),
  ...globSync(`{${OTHER_ROOMS}}/**/*.ts`, { cwd: ROOT, exclude: ['**/dist'] }),
].map((file) => ({ file, text: readFileSync(pathOf(file), 'utf8') }));
/** What the Worker is made of: the rest runs in Node, or in tests of a project. */
const served = files.filter(({ file }) => !isOfOtherRoom(file));

const startsWithOne = (module: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => module === prefix || module.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`));

/** @param but where it may be, and is: a pattern that is found nowhere would prove nothing. */
function offences(pattern: RegExp, but: readonly string[] = [], among = served): string[] {
  const found = among.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  const unused = but.filter((prefix) => !found.some((file) => startsWithOne(file, [prefix])));
  expect(unused, `${pattern} is found in none of these`).toEqual([]);
  return found.filter((file) => !startsWithOne(file, but));
}

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
      const rule = ruleOf(file);
      if (!rule) return file === 'index.ts' ? [] : [`${file} is in no row of the table`];
      const allowed = ({ module, typesOnly }: Import) =>
        startsWithOne(module, rule.values) || (typesOnly && startsWithOne(module, rule.types ?? []));
      const forbidden = importsOf(file, text).filter((item) => !allowed(item));
      return forbidden.map(({ module, typesOnly }) => `${file} imports ${typesOnly ? 'types of ' : ''}${module}`);
    });
    expect(wrong).toEqual([]);
  });

  it('of the pipeline knows no feature', () => {
    expect(
      offences(/from '[./]*\/features\//, [
        'http/deployment.ts',
        'features.ts',
        'tables.ts',
        'deployment.ts',
        'app.ts',
        'worker.ts',
      ]),
    ).toEqual([]);
  });

  it('of the Worker is in a table of the documentation, which this test writes', async () => {
    const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
    const before = page.slice(0, page.indexOf('| module | may import |'));
    await expect(before + rulesTable()).toMatchFileSnapshot('../../docs/architecture.md');
  });

  it('imports none that imports it, not even for a type, by whatever way', () => {
    const imports = files.map(({ file, text }) => {
      const modules = importsOf(file, text).map(({ module }) => module);
      return [file.replace(/\.ts$/, ''), [...modules, ...lazyImportsOf(file, text)]] as const;
    });
    expect(circlesIn(new Map(imports))).toEqual([]);
  });

  it('of the command line stands in a folder that imports none which imports it', () => {
    const folders = new Map<string, Set<string>>();
    for (const { file, text } of files.filter(({ file }) => file.startsWith('cli/'))) {
      const modules = [...importsOf(file, text).map(({ module }) => module), ...lazyImportsOf(file, text)];
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

  it('of the Worker imports no feature whole, except the list of them', () => {
    expect(offences(/from '[./\w-]*\/feature\.ts'/, ['features.ts'])).toEqual([]);
  });

  it('of the command line imports no command, except the program and the commands', () => {
    const cli = files.filter(({ file }) => file.startsWith('cli/'));
    expect(offences(/(from |import\()'[./]*\/commands\//, ['cli/program.ts'], cli)).toEqual([]);
  });

  it('that declares commands loads their work when they run, and before that types and shared modules alone', () => {
    const commands = files.filter(({ file }) => file.startsWith('cli/commands/'));
    const early = commands.flatMap(({ file, text }) => importsOf(file, text).filter(({ typesOnly }) => !typesOnly));
    const shared = ['cli/core/', 'cli/commands/', 'commander'];
    expect(early.filter(({ module }) => !startsWithOne(module, shared))).toEqual([]);
    const late = new Set(commands.flatMap(({ file, text }) => lazyImportsOf(file, text)));
    expect(late.size).toBeGreaterThan(10);
    expect([...late].filter((module) => !files.some(({ file }) => file === `${module}.ts`))).toEqual([]);
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

  it('has at most 300 lines', () => {
    expect(files.filter(({ text }) => text.split('\n').length > 301).map(({ file }) => file)).toEqual([]);
  });
});

/** Is it a module that may make SQL: of the pipeline, of credentials, of a feature? */
const isSql = (file: string): boolean => /^(content|content\/credentials|features\/[\w-]+)\/sql(\/|\.ts$)/.test(file);

describe('D1', () => {
  it('is called by sql/batch.ts alone', () => {
    expect(offences(/\.(batch|prepare|withSession)\(|\bDB\.exec\(/, ['content/sql/batch.ts'])).toEqual([]);
  });

  it('is sent no text that is written elsewhere than in sql/', () => {
    const statement =
      /(?<!\/\/.*|\* .*)['"`]\s*(select|insert into|update|delete from)\s+[^'"`]*\b(from|into|set|where|")/i;
    expect(served.filter(({ file, text }) => statement.test(text) && !isSql(file)).map(({ file }) => file)).toEqual([]);
    expect(offences(/\bfrom 'drizzle-orm/).filter((file) => !isSql(file))).toEqual([]);
  });

  it('deletes and updates rows of content and links by two functions alone', () => {
    const system = String.raw`\$\{(?:history|outbox|endpoints|schedule|counters|stamps|requests|pictures|sessions|apiTokens|tasks|users|identities|redemptions|oauthGrants)\}`;
    const change = new RegExp(String.raw`\b(?:delete from|update) (?!set\b)(?!${system})`);
    expect(offences(change, ['content/sql/write/change-rows.ts']).filter(isSql)).toEqual([]);
  });

  it('never gets a text that was not built of identifiers and bound values', () => {
    expect(
      offences(/\bnew (SQL|StringChunk)\(|\bsql\.(raw|fromList)\(|\.inlineParams\(/, ['content/sql/pieces.ts']),
    ).toEqual([]);
  });

  it('gets SQL whose pieces sql/drizzle-pieces.ts alone made text of', () => {
    const inside =
      /\bqueryChunks\b|\b(sqlToQuery|toSQL|toQuery|fillPlaceholders|getTableName)\(|instanceof (SQL|Placeholder)\b/;
    expect(offences(inside, ['content/sql/drizzle-pieces.ts'])).toEqual([]);
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
    expect(
      offences(/sql`[^`]*\b(like|glob)\b[^`]*`/i, ['content/sql/read/texts.ts', 'content/sql/read/words.ts']),
    ).toEqual([]);
  });
});

describe('D1 of the commands', () => {
  const cli = files.filter(({ file }) => file.startsWith('cli/'));

  it('is called by core/sql/statements.ts alone', () => {
    // Databases of this process have neither batches nor promises, and bind values as they run a statement.
    const called = /\.(batch|bind|withSession)\(|\.first[<(]|\.all<|\bawait [^;]*\.prepare\(|\bDB\.exec\(/;
    const allowed = ['cli/core/sql/statements.ts', 'cli/core/storage/local-storage.ts'];
    expect(offences(called, allowed, cli)).toEqual([]);
  });

  it('is called by wrangler where statements.ts has checked the statements', () => {
    const named = cli.filter(({ text }) => /'d1', '(execute|migrations)'/.test(text));
    expect(named.map(({ file }) => file).toSorted()).toEqual([
      'cli/core/storage/execute-sql.ts',
      'cli/migrations/apply.ts',
    ]);
    expect(named.filter(({ text }) => !/\b(commandTexts|assertAccepted)\(/.test(text))).toEqual([]);
  });

  it('has its limits in one module', () => {
    const limits = /d1\/platform\/limits/;
    expect(offences(limits, ['common/d1-limits.ts'], files)).toEqual([]);
  });
});

const PURE = ['schema/', 'access/', 'content/request/', 'content/plan/', 'content/document/'];

describe('the pure stages', () => {
  const pure = served.filter(({ file }) => startsWithOne(file, PURE));

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

describe('a union of three kinds or more', () => {
  it('is distinguished where every kind is named: by a switch, a record, or a predicate', () => {
    const example = 'test/architecture/silent-kinds.ts';
    // `cli/studio` tells the kinds of imports apart that esbuild declares.
    const faults = unionFaults((path) => path === example || /^(src|cli|testing)\/(?!studio\/)/.test(path));
    expect(faults.filter((fault) => !fault.startsWith(example))).toEqual([]);
    expect(faults.map((fault) => fault.replace(/^\S+ /, ''))).toEqual([
      "attribute.kind !== 'relation'",
      "kind === 'scalar'",
      "'table' in owner",
      'switch (attribute.kind) {',
      'switch (attribute.kind) {',
    ]);
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

describe('a test of the unit project', () => {
  it('replaces no modules: others share them', () => {
    const replaces = (file: string) => /\bvi\.(do)?mock\(/i.test(readFileSync(join(ROOT, file), 'utf8'));
    expect(globSync('test/unit/**/*.test.ts', { cwd: ROOT }).filter(replaces)).toEqual([]);
  });
});

const STUDIO = join(import.meta.dirname, '../../studio');

/** Each room may import those before it. */
const ROOMS = [
  'texts',
  'api',
  'model',
  'ui',
  'shell',
  'people',
  'media',
  'document/fields',
  'document',
  'history',
  'preview',
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

  it('imports of the Worker only what is pure, and types', () => {
    const outside = studio.flatMap(({ file, text }) =>
      [...text.matchAll(/^import (?!type )[^;]*from '(\.\.\/[^']*src\/[^']+)'/gm)].map(([, path = '']) =>
        relative(join(STUDIO, '..'), join(STUDIO, dirname(file), path)),
      ),
    );
    expect([...new Set(outside)].toSorted()).toEqual([
      'src/common/email-address.ts',
      'src/common/same-for.ts',
      'src/features/oauth/redirect-uri.ts',
      'src/schema/visibility.ts',
    ]);
  });
});
