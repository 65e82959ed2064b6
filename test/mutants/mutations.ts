/**
 * @module The edits that make mutants of a source file.
 */
import * as ast from 'typescript/unstable/ast';
import type { Replacement } from './marks.ts';

export interface Edit extends Replacement {
  readonly kind: 'guard' | 'condition' | 'comparison' | 'statement' | 'member' | 'await' | 'optional';
}

const COMPARISONS = new Map(Object.entries({ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' }));

/** Returns every edit of a file, those of a node before those inside it. */
export function editsIn(file: ast.SourceFile): readonly Edit[] {
  const edits: Edit[] = [];
  const replace = (kind: Edit['kind'], node: ast.Node, to: ast.Node | string): void =>
    void edits.push({
      kind,
      start: node.getStart(file),
      end: node.end,
      to: typeof to === 'string' ? to : to.getText(file),
    });
  const visit = (node: ast.Node): void => {
    if (ast.isIfStatement(node)) {
      replace('guard', node.expression, 'false');
      replace('condition', node.expression, 'true');
    }
    if (ast.isConditionalExpression(node))
      for (const result of [node.whenTrue, node.whenFalse]) replace('condition', node, result);
    if (ast.isBinaryExpression(node)) {
      const { left, right, operatorToken } = node;
      const operator = operatorToken.getText(file);
      const opposite = COMPARISONS.get(operator);
      if (opposite !== undefined) replace('comparison', operatorToken, opposite);
      if (operator === '??') replace('optional', node, right);
      if (operator === '&&' || operator === '||') for (const side of [left, right]) replace('condition', node, side);
    }
    if (ast.isPropertyAccessExpression(node) && node.questionDotToken) replace('optional', node, 'undefined');
    if (ast.isSpreadAssignment(node)) replace('optional', node, '...{}');
    // Names are members of a union, other elements may be statements of a batch.
    if (ast.isArrayLiteralExpression(node))
      for (const item of node.elements) replace(ast.isStringLiteral(item) ? 'member' : 'statement', item, '...[]');
    // A case does what the next one does.
    if (ast.isSwitchStatement(node))
      for (const { statements } of node.caseBlock.clauses.slice(0, -1))
        for (const statement of statements) replace('member', statement, ';');
    if (ast.isExpressionStatement(node)) replace('statement', node, ';');
    if (ast.isAwaitExpression(node)) replace('await', node, node.expression);
    node.forEachChild(visit);
  };
  visit(file);
  return edits;
}
