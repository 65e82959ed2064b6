/**
 * @module Visibility of attributes: `conditions.visible` of a schema file, JSON logic (https://jsonlogic.com/operations.html)
 * over the surrounding data. Operators only read the data: none calls a method or logs.
 */
import { isObject, ownValue } from '../common/json.ts';

/** Returns the value of an operand. */
type Evaluate = (logic: unknown, data?: unknown) => unknown;
type Operator = (operands: readonly unknown[], evaluate: Evaluate, data: unknown) => unknown;

/** Of operands that are all evaluated first. */
const evaluated =
  (apply: (...values: never[]) => unknown): Operator =>
  (operands, evaluate) =>
    apply(...(operands.map((operand) => evaluate(operand)) as never[]));

/** An empty list is false, too. */
const isTrue = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

// biome-ignore lint/suspicious/noDoubleEquals: JSON logic compares like JavaScript
const equals = (left: unknown, right: unknown): boolean => left == right;

type Compare = (left: number, right: number) => boolean;

/** With three operands, is the second between the others? */
const ordered = (compare: Compare): Operator =>
  evaluated((first: number, second: number, third?: number) =>
    third === undefined ? compare(first, second) : compare(first, second) && compare(second, third),
  );

/** Reads texts as numbers. */
const reduced = (reduce: (left: number, right: number) => number): Operator =>
  evaluated((...values: unknown[]) => values.map((value) => Number.parseFloat(String(value))).reduce(reduce));

/** Follows a path of names and indexes; the fallback stands in for what is missing. */
function valueAt(path: unknown, fallback: unknown, data: unknown): unknown {
  if (path === undefined || path === null || path === '') return data;
  let value = data;
  for (const key of String(path).split('.')) value = ownValue(value, key);
  return value ?? fallback ?? null;
}

const ifThenElse: Operator = (operands, evaluate) => {
  for (let index = 0; index + 1 < operands.length; index += 2)
    if (isTrue(evaluate(operands[index]))) return evaluate(operands[index + 1]);
  return operands.length % 2 === 1 ? evaluate(operands.at(-1)) : null;
};

/** Evaluates operands up to the first that ends the operation. */
const firstThat =
  (ends: (value: unknown) => boolean): Operator =>
  (operands, evaluate) => {
    let value: unknown;
    for (const operand of operands) {
      value = evaluate(operand);
      if (ends(value)) break;
    }
    return value;
  };

const inEach =
  (method: 'every' | 'some', isNegated = false): Operator =>
  ([list, condition], evaluate) => {
    const items = evaluate(list);
    if (!Array.isArray(items) || items.length === 0) return isNegated;
    return items[method]((item) => isTrue(evaluate(condition, item))) !== isNegated;
  };

const LOGIC_OPERATORS: ReadonlyMap<string, Operator> = new Map(
  Object.entries({
    var: ([path, fallback], evaluate, data) => valueAt(evaluate(path), evaluate(fallback), data),
    if: ifThenElse,
    '?:': ifThenElse,
    and: firstThat((value) => !isTrue(value)),
    or: firstThat(isTrue),
    '!': evaluated((value: unknown) => !isTrue(value)),
    '!!': evaluated(isTrue),
    '==': evaluated(equals),
    '===': evaluated((left: unknown, right: unknown) => left === right),
    '!=': evaluated((left: unknown, right: unknown) => !equals(left, right)),
    '!==': evaluated((left: unknown, right: unknown) => left !== right),
    '<': ordered((left, right) => left < right),
    '<=': ordered((left, right) => left <= right),
    '>': ordered((left, right) => left > right),
    '>=': ordered((left, right) => left >= right),
    '+': reduced((left, right) => left + right),
    '-': evaluated((left: number, right?: number) => (right === undefined ? -left : left - right)),
    '*': reduced((left, right) => left * right),
    '/': evaluated((left: number, right: number) => left / right),
    '%': evaluated((left: number, right: number) => left % right),
    min: evaluated((...values: number[]) => Math.min(...values)),
    max: evaluated((...values: number[]) => Math.max(...values)),
    cat: evaluated((...values: unknown[]) => values.join('')),
    // An empty text contains nothing.
    in: evaluated((part: never, whole: unknown) =>
      (typeof whole === 'string' && whole !== '') || Array.isArray(whole) ? whole.includes(part) : false,
    ),
    all: inEach('every'),
    some: inEach('some'),
    none: inEach('some', true),
  } satisfies Record<string, Operator>),
);

/** Returns the operator and the operands of an object with one key; undefined for a value. */
function operationOf(logic: unknown): readonly [name: string, operands: readonly unknown[]] | undefined {
  if (!isObject(logic)) return undefined;
  const [entry, ...more] = Object.entries(logic);
  return entry && more.length === 0 ? [entry[0], [entry[1]].flat()] : undefined;
}

function evaluate(logic: unknown, data: unknown): unknown {
  if (Array.isArray(logic)) return logic.map((item) => evaluate(item, data));
  const [name = '', operands = []] = operationOf(logic) ?? [];
  const operator = LOGIC_OPERATORS.get(name);
  return operator ? operator(operands, (operand, item = data) => evaluate(operand, item), data) : logic;
}

function unknownOperator(logic: unknown): string | undefined {
  if (Array.isArray(logic)) return logic.map(unknownOperator).find((name) => name !== undefined);
  const [name, operands] = operationOf(logic) ?? [];
  if (name === undefined) return undefined;
  return LOGIC_OPERATORS.has(name) ? unknownOperator(operands) : name;
}

/** Returns the condition of a schema file. @throws Error whose message states what was expected. */
export function conditionOf(logic: unknown): unknown {
  const name = unknownOperator(logic);
  if (name === undefined) return logic;
  throw new Error(`conditions of ${[...LOGIC_OPERATORS.keys()].join(', ')}; "${name}" is an unknown operator`);
}

/** An invisible attribute is neither validated nor required. */
export const isVisible = ({ visible }: { readonly visible?: unknown }, data: unknown): boolean =>
  visible === undefined || Boolean(evaluate(visible, data));
