/**
 * @module Marks in the bodies of functions: they say which functions a test file executes.
 */
import * as ast from 'typescript/unstable/ast';

/** The text from `start` to `end` becomes `to`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/** Returns the bodies of all functions of a file, those inside another one after it. */
export function bodiesIn(file: ast.SourceFile): readonly ast.Node[] {
  const bodies: ast.Node[] = [];
  const visit = (node: ast.Node): void => {
    if (ast.isFunctionLikeDeclaration(node) && node.body) bodies.push(node.body);
    node.forEachChild(visit);
  };
  visit(file);
  return bodies;
}

export const markOf = (path: string, body: ast.Node): string => `${path}:${body.pos}`;

/** Returns what makes each function of a file add its mark to the set of `collect-marks.ts`. */
export function marksIn(path: string, file: ast.SourceFile): readonly Replacement[] {
  const insert = (at: number, to: string): Replacement => ({ start: at, end: at, to });
  return bodiesIn(file).flatMap((body) => {
    const mark = `globalThis.edgewiseExecuted?.add('${markOf(path, body)}')`;
    const start = body.getStart(file);
    return ast.isBlock(body) ? insert(start + 1, `${mark};`) : [insert(start, `(${mark}, `), insert(body.end, ')')];
  });
}

/** Returns a text with all replacements. */
export function replaceIn(text: string, replacements: readonly Replacement[]): string {
  const fromTheEnd = replacements.toSorted((a, b) => b.start - a.start);
  return fromTheEnd.reduce((edited, { start, end, to }) => edited.slice(0, start) + to + edited.slice(end), text);
}
