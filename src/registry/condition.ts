/**
 * @module Visibility of attributes: `conditions.visible` of a schema file, JSON logic over the surrounding data.
 */
import jsonLogic, { type RulesLogic } from 'json-logic-js';
import { isObject } from '../common/json.ts';

/** Operators that only read the data: none calls a method or logs. */
const OPERATORS = [
  ...['var', 'missing', 'missing_some', 'if', '?:', 'and', 'or', '!', '!!', '==', '===', '!=', '!=='],
  ...['<', '<=', '>', '>=', '+', '-', '*', '/', '%', 'min', 'max', 'in', 'cat', 'substr', 'merge'],
  ...['map', 'filter', 'reduce', 'all', 'none', 'some'],
];

function unknownOperator(logic: unknown): string | undefined {
  if (Array.isArray(logic)) return logic.map(unknownOperator).find((name) => name !== undefined);
  if (!isObject(logic)) return undefined;
  const [[name, operands] = [undefined], ...more] = Object.entries(logic);
  if (name === undefined || more.length > 0) return undefined;
  return OPERATORS.includes(name) ? unknownOperator([operands].flat()) : name;
}

/** Returns the condition of a schema file. @throws Error whose message states what was expected. */
export function conditionOf(logic: unknown): unknown {
  const name = unknownOperator(logic);
  if (name === undefined) return logic;
  throw new Error(`conditions of ${OPERATORS.join(', ')}; "${name}" is an unknown operator`);
}

/** An invisible attribute is neither validated nor required. */
export const isVisible = ({ visible }: { readonly visible?: unknown }, data: unknown): boolean =>
  visible === undefined || Boolean(jsonLogic.apply(visible as RulesLogic, data));
