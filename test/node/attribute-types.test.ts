/**
 * @module A new type of attributes: the compiler names each place that has to know it, and no place guesses.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Expression, Node, SourceFile } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { API, type Checker, type Project, type Type, TypeFlags } from 'typescript/unstable/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIELDS } from '../../src/schema/fields.ts';
import { itLong } from '../support/tier.ts';

const ROOT = join(import.meta.dirname, '../..');
const ENTRY = join(ROOT, 'src/schema/fields.ts');
const PROJECTS = ['tsconfig.json', 'studio/tsconfig.json'].map((path) => join(ROOT, path));
const FILES = globSync('{src,cli,testing,studio}/**/*.{ts,tsx}', { cwd: ROOT });

const SCALARS: ReadonlySet<string> = new Set(Object.keys(FIELDS));
const TYPES: ReadonlySet<string> = new Set([...SCALARS, 'relation', 'media', 'component', 'dynamiczone']);
/** Names that mean nothing else: they are not compared with a plain text, either. */
const DISTINCT: ReadonlySet<string> = new Set('richtext enumeration biginteger decimal datetime blocks uid'.split(' '));

/** Why a module may compare the names of types. */
const ALLOWED: Readonly<Record<string, string>> = {
  'studio/preview/preview-script.ts': 'runs alone in the page of a site, and reads messages as Strapi sends them',
};

/** Returns the projects as the compiler has them. @param fields the text of `fields.ts`, if it is another one */
function compile(fields?: string) {
  const readFile = (path: string) => (path === ENTRY ? fields : undefined);
  const api = new API({ cwd: ROOT, ...(fields !== undefined && { fs: { readFile } }) });
  const snapshot = api.updateSnapshot({ openProjects: PROJECTS });
  const [node, studio] = PROJECTS.map((path) => snapshot.getProject(path));
  const projectOf = (file: string): Project | undefined => (file.startsWith('studio/') ? studio : node);
  return { projectOf, close: () => api.close() };
}

describe('a type of attributes', () => {
  const section = /\n## A new type of attributes\n(.*?)\n## /s.exec(
    readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'),
  );
  const listed = [...(section?.[1] ?? '').matchAll(/`((?:src|cli|testing|studio)\/[^`]+)`/g)].map(([, path]) => path);

  itLong('that is declared stops the compiler in each place that CONTRIBUTING lists, and in no other', () => {
    const text = readFileSync(ENTRY, 'utf8').replace('const ENTRIES = {', 'const ENTRIES = {\n  madeUp: text,');
    expect(text).toContain('madeUp');
    const { projectOf, close } = compile(text);
    const named = FILES.filter((file) => {
      const found = projectOf(file)?.program.getSemanticDiagnostics(join(ROOT, file)) ?? [];
      return found.some((diagnostic) => diagnostic.text.includes('madeUp'));
    });
    close();
    expect(new Set(listed)).toEqual(new Set(['src/schema/fields.ts', ...named]));
  });

  it('is in no record over some of them, which would leave out another one', () => {
    const pattern =
      /Partial<(Readonly<)?(Record<(ScalarType|AttributeType)\b|\{[^}]*\bin (ScalarType|AttributeType)\b)/;
    expect('type Few = Partial<Record<ScalarType, string>>;').toMatch(pattern);
    expect(FILES.filter((file) => pattern.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });
});

/** The texts of a list that has nothing else. */
function textsOf(node: Expression): readonly string[] | undefined {
  if (is.isAsExpression(node) || is.isParenthesizedExpression(node)) return textsOf(node.expression);
  if (is.isStringLiteral(node)) return [node.text];
  if (!is.isArrayLiteralExpression(node) || node.elements.length === 0) return undefined;
  const texts = node.elements.map((element) => (is.isStringLiteral(element) ? element.text : undefined));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** Returns a compared value, and the names that it is compared with. */
function comparisonIn(node: Node): readonly [value: Expression, names: readonly string[] | undefined] | undefined {
  if (is.isBinaryExpression(node)) {
    const isEquality = /^[!=]==?$/.test(node.operatorToken.getText());
    if (!isEquality) return undefined;
    const isLiteral = is.isStringLiteral(node.left);
    return [isLiteral ? node.right : node.left, textsOf(isLiteral ? node.left : node.right)];
  }
  if (is.isSwitchStatement(node)) {
    const { clauses } = node.caseBlock;
    const hasDefault = clauses.some((each) => is.isDefaultClause(each) && !each.getText().includes('satisfies never'));
    const names = clauses.flatMap((each) => (is.isCaseClause(each) ? (textsOf(each.expression) ?? []) : []));
    return hasDefault ? [node.expression, names] : undefined;
  }
  if (!is.isCallExpression(node) || !is.isPropertyAccessExpression(node.expression)) return undefined;
  const { name, expression } = node.expression;
  const [argument] = node.arguments;
  return name.text === 'includes' && argument ? [argument, textsOf(expression)] : undefined;
}

/** Is it a list, or a set, of names of types alone? */
function namesIn(node: Node): readonly string[] | undefined {
  if (is.isVariableDeclaration(node) && node.initializer) return textsOf(node.initializer);
  const [list] = is.isNewExpression(node) ? (node.arguments ?? []) : [];
  return list && textsOf(list);
}

/** May the value be the name of a type, and nothing else? */
function isOfTypes(type: Type | undefined): boolean {
  if (!type?.isUnionType()) return false;
  const texts = type.getTypes().flatMap((each) => (each.isStringLiteralType() ? [each.value] : []));
  const isText = (each: Type) => (each.flags & (TypeFlags.StringLiteral | TypeFlags.Undefined)) !== 0;
  return texts.length > 2 && type.getTypes().every(isText) && texts.every((text) => TYPES.has(text));
}

function guessesIn(file: SourceFile, checker: Checker): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    const [value, names] = comparisonIn(node) ?? [undefined, namesIn(node)];
    const scalars = names?.filter((name) => SCALARS.has(name)) ?? [];
    const isDistinct = scalars.some((name) => DISTINCT.has(name)) && names?.every((name) => TYPES.has(name));
    if (scalars.length > 0 && (isDistinct || (value && isOfTypes(checker.getTypeAtLocation(value)))))
      found.push(node.getText().slice(0, 80));
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

describe('a module', () => {
  let compiled: ReturnType<typeof compile>;
  beforeAll(() => {
    compiled = compile();
  });
  afterAll(() => compiled.close());

  /** Returns undefined for a file that no project compiles. */
  function guessesOf(file: string): readonly string[] | undefined {
    const project = compiled.projectOf(file);
    const source = project?.program.getSourceFile(join(ROOT, file));
    return source && project && guessesIn(source, project.checker).map((text) => `${file}: ${text}`);
  }

  it.each(['src', 'cli', 'testing', 'studio'])('of %s compares no value with the name of a scalar type', (room) => {
    const files = FILES.filter((file) => file.startsWith(`${room}/`) && !(file in ALLOWED));
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap((file) => guessesOf(file) ?? [])).toEqual([]);
  });

  it.each(Object.keys(ALLOWED))('is seen to compare where it may: %s', (file) => {
    expect(guessesOf(file)?.length).toBeGreaterThan(0);
  });
});
