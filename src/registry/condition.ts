/**
 * @module When an attribute counts: JSON logic over the data that it stands in, as `conditions.visible` of a schema file
 * says it.
 */
import jsonLogic, { type RulesLogic } from 'json-logic-js';
import { isObject } from '../json.ts';

/** Operators that look at nothing but the data: no method is called, nothing is logged. */
const OPERATORS = [
  ...['var', 'missing', 'missing_some', 'if', '?:', 'and', 'or', '!', '!!', '==', '===', '!=', '!=='],
  ...['<', '<=', '>', '>=', '+', '-', '*', '/', '%', 'min', 'max', 'in', 'cat', 'substr', 'merge'],
  ...['map', 'filter', 'reduce', 'all', 'none', 'some'],
];

const operandsOf = (logic: unknown): readonly unknown[] => (Array.isArray(logic) ? logic : [logic]);

/** The first operator in it that may not stand there. */
function unknownOperator(logic: unknown): string | undefined {
  if (Array.isArray(logic)) return logic.map(unknownOperator).find((name) => name !== undefined);
  if (!isObject(logic)) return undefined;
  const [[name, operands] = [undefined], ...more] = Object.entries(logic);
  if (name === undefined || more.length > 0) return undefined;
  return OPERATORS.includes(name) ? unknownOperator(operandsOf(operands)) : name;
}

/**
 * A condition as a schema file gives it.
 * @throws Error whose message says what was expected in its place.
 */
export function conditionOf(logic: unknown): unknown {
  const name = unknownOperator(logic);
  if (name === undefined) return logic;
  throw new Error(`conditions of ${OPERATORS.join(', ')}; "${name}" is an unknown operator`);
}

/** Is an attribute visible in these data? An invisible one is neither validated nor required. */
export const isVisible = ({ visible }: { readonly visible?: unknown }, data: unknown): boolean =>
  visible === undefined || Boolean(jsonLogic.apply(visible as RulesLogic, data));
