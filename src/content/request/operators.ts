/**
 * @module The operators of `filters`, for the parser, the SQL compiler and the documentation.
 */

interface Operator {
  /** `one` operand (several are alternatives), a `list`, a `pair`, or a `flag`. */
  readonly takes: 'one' | 'list' | 'pair' | 'flag';
  /** Convert the operand to the type of the attribute? Text operators keep it as text. */
  readonly cast: boolean;
  readonly doc: string;
}

export const OPERATORS = {
  $eq: { takes: 'one', cast: true, doc: 'Equal' },
  $eqi: { takes: 'one', cast: false, doc: 'Equal, whatever the case of A–Z' },
  $ne: { takes: 'one', cast: true, doc: 'Not equal' },
  $nei: { takes: 'one', cast: false, doc: 'Not equal, whatever the case of A–Z' },
  $lt: { takes: 'one', cast: true, doc: 'Less than' },
  $lte: { takes: 'one', cast: true, doc: 'Less than or equal to' },
  $gt: { takes: 'one', cast: true, doc: 'Greater than' },
  $gte: { takes: 'one', cast: true, doc: 'Greater than or equal to' },
  $in: { takes: 'list', cast: true, doc: 'One of a list' },
  $notIn: { takes: 'list', cast: true, doc: 'None of a list' },
  $contains: { takes: 'one', cast: false, doc: 'Contains the text (case of A–Z is ignored)' },
  $notContains: { takes: 'one', cast: false, doc: 'Does not contain the text (case of A–Z is ignored)' },
  $containsi: { takes: 'one', cast: false, doc: 'Contains the text, whatever the case of A–Z' },
  $notContainsi: { takes: 'one', cast: false, doc: 'Does not contain the text, whatever the case of A–Z' },
  $startsWith: { takes: 'one', cast: false, doc: 'Starts with the text (case of A–Z is ignored)' },
  $startsWithi: { takes: 'one', cast: false, doc: 'Starts with the text, whatever the case of A–Z' },
  $endsWith: { takes: 'one', cast: false, doc: 'Ends with the text (case of A–Z is ignored)' },
  $endsWithi: { takes: 'one', cast: false, doc: 'Ends with the text, whatever the case of A–Z' },
  $null: { takes: 'flag', cast: false, doc: 'Has no value (`true`), or has one (`false`)' },
  $notNull: { takes: 'flag', cast: false, doc: 'Has a value (`true`), or has none (`false`)' },
  $between: { takes: 'pair', cast: true, doc: 'Between two values, both included' },
} as const satisfies Record<string, Operator>;

export type OperatorName = keyof typeof OPERATORS;

/** An operator with operands. */
export type Comparison = {
  [Name in OperatorName]: (typeof OPERATORS)[Name]['takes'] extends 'flag' ? never : Name;
}[OperatorName];
export type Flag = Exclude<OperatorName, Comparison>;

export const isFlag = (key: string): key is Flag => key === '$null' || key === '$notNull';
export const isComparison = (key: string): key is Comparison => Object.hasOwn(OPERATORS, key) && !isFlag(key);

/** `$and` and `$or` take a list of filters, `$not` takes one. */
export const LOGIC = {
  $and: 'All of a list of filters hold',
  $or: 'One of a list of filters holds',
  $not: 'The filter does not hold',
} as const;
