/**
 * @module Finds where members of a union are told apart in a way that says nothing of a member that is added later.
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
import { API, type Type } from 'typescript/unstable/sync';

const ROOT = join(import.meta.dirname, '../..');

/** The properties that tell members apart. */
const DISCRIMINANTS: ReadonlySet<string> = new Set(['kind']);

interface Question {
  readonly node: Node;
  /** Its type is the union, or that of what tells its members apart. */
  readonly asked: Node;
  isFault(members: readonly Type[]): boolean;
}

const hasMany = (members: readonly Type[]): boolean =>
  members.filter((member) => member.isStringLiteralType()).length > 2;

/** A function that is a type predicate is where a kind has its name. */
const isPredicate = (node: Node): boolean =>
  (isArrowFunction(node) || isFunctionDeclaration(node)) && node.type !== undefined && isTypePredicateNode(node.type);

const nameOf = (node: Node): string | undefined => {
  if (isIdentifier(node)) return node.text;
  return isPropertyAccessExpression(node) ? node.name.text : undefined;
};

function comparison(node: BinaryExpression): Question | undefined {
  const { left, right } = node;
  const operator = node.operatorToken.kind;
  if (operator === SyntaxKind.InKeyword && isStringLiteral(left))
    return { node, asked: right, isFault: (members) => members.filter((member) => member.isObjectType()).length > 1 };
  const compares =
    operator === SyntaxKind.EqualsEqualsEqualsToken || operator === SyntaxKind.ExclamationEqualsEqualsToken;
  if (!compares || !isStringLiteral(right) || !DISCRIMINANTS.has(nameOf(left) ?? '')) return undefined;
  return { node, asked: left, isFault: hasMany };
}

/** A `switch` names each member: a `default` that does more is one that nobody asks when a member is added. */
function dispatch(node: SwitchStatement, file: SourceFile): Question {
  const { clauses } = node.caseBlock;
  const rest = clauses.find(isDefaultClause);
  const isTotal = rest !== undefined && /\bsatisfies never\b/.test(file.text.slice(rest.pos, rest.end));
  const isFault = (members: readonly Type[]) =>
    hasMany(members) && (rest === undefined ? clauses.length < members.length : !isTotal);
  return { node, asked: node.expression, isFault };
}

function questionsIn(file: SourceFile): readonly Question[] {
  const found: Question[] = [];
  const visit = (node: Node): void => {
    if (isPredicate(node)) return;
    const question = isBinaryExpression(node) ? comparison(node) : isSwitchStatement(node) && dispatch(node, file);
    if (question) found.push(question);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** Returns the place and text of each fault in the modules that `isAsked` takes. */
export function faultsOfUnions(isAsked: (file: string) => boolean): readonly string[] {
  const api = new API({ cwd: ROOT });
  try {
    const config = join(ROOT, 'tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} is no project`);
    return project.program.getSourceFileNames().flatMap((name) => {
      const path = relative(ROOT, name);
      const file = isAsked(path) ? project.program.getSourceFile(name) : undefined;
      const questions = file ? questionsIn(file) : [];
      const types = questions.length > 0 ? project.checker.getTypeAtLocation(questions.map(({ asked }) => asked)) : [];
      return questions.flatMap(({ node, isFault }, index) => {
        const type = types[index];
        if (!file || !type?.isUnionType() || !isFault(type.getTypes())) return [];
        const start = node.getStart(file);
        const line = file.text.slice(0, start).split('\n').length;
        return [`${path}:${line} ${file.text.slice(start, node.end).split('\n')[0]}`];
      });
    });
  } finally {
    api.close();
  }
}
