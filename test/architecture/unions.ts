/**
 * @module Finds where code distinguishes members of a union and ignores a member that is added later.
 */
import { join, relative } from 'node:path';
import {
  type BinaryExpression,
  isArrowFunction,
  isBinaryExpression,
  isDefaultClause,
  isFunctionDeclaration,
  isIdentifier,
  isPropertyAccessExpression,
  isStringLiteral,
  isSwitchStatement,
  isTypePredicateNode,
  type Node,
  type SourceFile,
  type SwitchStatement,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API, type Checker, type Type } from 'typescript/unstable/sync';

const ROOT = join(import.meta.dirname, '../..');

const COMPARES: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
]);

interface Question {
  readonly node: Node;
  /** Its type is the union, or that of the property that tells its members apart. */
  readonly asked: Node;
  isFault(type: Type, checker: Checker): boolean;
}

const membersOf = (type: Type | undefined): readonly Type[] => (type?.isUnionType() ? type.getTypes() : []);

/** With two members, what is not the one is the other. */
const hasMany = (type: Type): boolean => membersOf(type).filter((member) => member.isStringLiteralType()).length > 2;

/** The paths of the files that declare the members which are objects. */
const declaredIn = (type: Type | undefined): readonly string[] =>
  membersOf(type)
    .flatMap((member) => (member.isIntersectionType() ? member.getTypes() : [member]))
    .flatMap((member) => member.getSymbol()?.declarations.map(({ path }) => path) ?? []);

/** A function that is a type predicate gives a member its name. */
const isPredicate = (node: Node): boolean =>
  (isArrowFunction(node) || isFunctionDeclaration(node)) && node.type !== undefined && isTypePredicateNode(node.type);

function comparison({ left, right, operatorToken }: BinaryExpression, file: SourceFile): Question | undefined {
  const node = left.parent;
  if (operatorToken.kind === SyntaxKind.InKeyword && isStringLiteral(left))
    return {
      node,
      asked: right,
      isFault: (type) =>
        declaredIn(type).filter((path) => /^(?!.*node_modules).*\/(src|cli|testing)\//.test(path)).length > 1,
    };
  if (!COMPARES.has(operatorToken.kind) || !isStringLiteral(right)) return undefined;
  if (isIdentifier(left) && left.text === 'kind') return { node, asked: left, isFault: hasMany };
  if (!isPropertyAccessExpression(left) || left.name.text !== 'kind') return undefined;
  const isElsewhere = (paths: readonly string[]) => paths.length === 0 || paths.some((path) => path !== file.path);
  const isFault: Question['isFault'] = (type, checker) =>
    hasMany(type) && isElsewhere(declaredIn(checker.getTypeAtLocation(left.expression)));
  return { node, asked: left, isFault };
}

/** A `default` is total if no member is left for it, or if it hands the value on to what declares which members it takes. */
function dispatch(node: SwitchStatement, file: SourceFile): Question {
  const { clauses } = node.caseBlock;
  const rest = clauses.find(isDefaultClause);
  const [value = ''] = node.expression.getText(file).split(/\W/);
  const isTotal = rest && new RegExp(String.raw`\bsatisfies never\b|[(,] *${value}\b`).test(rest.getText(file));
  return {
    node,
    asked: node.expression,
    isFault: (type) => hasMany(type) && !isTotal && (rest !== undefined || clauses.length < membersOf(type).length),
  };
}

function questionsIn(file: SourceFile): readonly Question[] {
  const found: Question[] = [];
  const visit = (node: Node): void => {
    if (isPredicate(node)) return;
    const question = isBinaryExpression(node)
      ? comparison(node, file)
      : isSwitchStatement(node) && dispatch(node, file);
    if (question) found.push(question);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** Returns the place and text of each fault in the modules that `isAsked` takes. */
export function unionFaults(isAsked: (path: string) => boolean): readonly string[] {
  const api = new API({ cwd: ROOT });
  try {
    const config = join(ROOT, 'tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} is no project`);
    const { program, checker } = project;
    return program.getSourceFileNames().flatMap((name) => {
      const path = relative(ROOT, name);
      const file = isAsked(path) ? program.getSourceFile(name) : undefined;
      if (!file) return [];
      const questions = questionsIn(file);
      const types = questions.length > 0 ? checker.getTypeAtLocation(questions.map(({ asked }) => asked)) : [];
      return questions.flatMap(({ node, isFault }, index) => {
        const type = types[index];
        if (!type || !isFault(type, checker)) return [];
        const line = file.text.slice(0, node.getStart(file)).split('\n').length;
        return [`${path}:${line} ${node.getText(file).split('\n')[0]}`];
      });
    });
  } finally {
    api.close();
  }
}
