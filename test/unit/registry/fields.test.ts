/**
 * @module How values of each scalar type are taken in, stored, read and compared.
 */
import { describe, expect, it } from 'vitest';
import type { ScalarType } from '../../../src/schema/fields.ts';
import { FIELDS, isBigInteger } from '../../../src/schema/fields.ts';

const store = (type: ScalarType, value: unknown) => FIELDS[type].store(FIELDS[type].cast(value));

describe('dates and times', () => {
  it.each<[ScalarType, unknown, string]>([
    ['date', '2024-13-01', 'Invalid format, expected yyyy-MM-dd'],
    ['date', '24-01-01', 'Invalid format, expected yyyy-MM-dd'],
    ['date', 5, 'Invalid format, expected yyyy-MM-dd'],
    ['date', '2024-02-30', 'Invalid date'],
    ['date', '2023-02-29', 'Invalid date'],
    ['time', '12:30', 'Invalid time format, expected HH:mm:ss.SSS'],
    ['time', '24:00:00', 'Invalid time format, expected HH:mm:ss.SSS'],
    ['time', '12:30:00.1234', 'Invalid time format, expected HH:mm:ss.SSS'],
    ['time', 5, 'Expected a string, got a number'],
    ['datetime', 'yesterday', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '2024-02-30', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '2024-01-01T25:00:00Z', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '2023-366', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '2023-000', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '2023-13', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '31-05', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '+14', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '2024-01-01t10:00:00Z', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '2024-01-01T10:00:00z', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '2024-01-01T10:00:00 +02:00', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '2024-01-01+02:00', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '2024-01-01T10:00+02:60', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '2024-01-01T24:00:00.5Z', 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', 1e300, 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', {}, 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', [['2024']], 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', 8.64e15 + 1, 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', [1, 2], 'Invalid format, expected a timestamp or an ISO date'],
    ['datetime', '', 'Invalid format, expected a timestamp or an ISO date'],
  ])('%s refuses %j: %s', (type, value, message) => {
    expect(() => store(type, value)).toThrow(message);
  });

  it.each<[ScalarType, unknown, unknown]>([
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '2024-01-31T23:59:59.000Z', '2024-01-31'],
    ['time', '12:30:00', '12:30:00.000'],
    ['time', '12:30:00.1', '12:30:00.100'],
    ['time', '23:59:59.999', '23:59:59.999'],
    ['datetime', '2024-01-01', Date.UTC(2024, 0, 1)],
    ['datetime', ['2024-01-01'], Date.UTC(2024, 0, 1)],
    ['datetime', [1], 1],
    ['datetime', '2024-01-01T10:00:00', Date.UTC(2024, 0, 1, 10)],
    ['datetime', '2024-01-01T10:00:00+02:00', Date.UTC(2024, 0, 1, 8)],
    ['datetime', '2024-01-01T10:00:00.5Z', Date.UTC(2024, 0, 1, 10, 0, 0, 500)],
    ['datetime', 1_700_000_000_000, 1_700_000_000_000],
    ['datetime', '1700000000000', 1_700_000_000_000],
    ['datetime', -1, -1],
    ['datetime', 8.64e15, 8.64e15],
    ['datetime', '31', Date.UTC(3100, 0, 1)],
    ['datetime', '00Z', new Date(0).setUTCFullYear(0, 0, 1)],
    ['datetime', '+0020', Date.UTC(2000, 0, 1)],
    ['datetime', '2024', Date.UTC(2024, 0, 1)],
    ['datetime', '2024-060', Date.UTC(2024, 1, 29)],
    ['datetime', '2024060T10', Date.UTC(2024, 1, 29, 10)],
    ['datetime', '20240229', Date.UTC(2024, 1, 29)],
    ['datetime', '20249999', 20_249_999],
    ['datetime', '2024-01-01T24:00:00Z', Date.UTC(2024, 0, 2)],
    ['datetime', '2024-01-01T10:30.5Z', Date.UTC(2024, 0, 1, 10, 30, 30)],
    ['datetime', '2024-01-01T10,25+02', Date.UTC(2024, 0, 1, 8, 15)],
    ['datetime', '2024-', Date.UTC(2024, 0, 1)],
    ['datetime', '2024-01-01T', Date.UTC(2024, 0, 1)],
    ['datetime', '2024-01-01 Z', Date.UTC(2024, 0, 1)],
    ['datetime', '2024-01-01T10:30:59.', Date.UTC(2024, 0, 1, 10, 30, 59)],
    ['datetime', '2024-01-01T10:00-99:30', Date.UTC(2024, 0, 5, 13, 30)],
    ['datetime', '2024-01-01T10:30:59.9999999', Date.UTC(2024, 0, 1, 10, 30, 59, 999)],
  ])('%s stores %j as %j', (type, value, stored) => {
    expect(store(type, value)).toBe(stored);
  });

  it('shows a datetime as ISO text with milliseconds in UTC', () => {
    expect(FIELDS.datetime.read(Date.UTC(2024, 0, 1, 8))).toBe('2024-01-01T08:00:00.000Z');
  });
});

describe('numbers', () => {
  it.each<[ScalarType, unknown, unknown]>([
    ['integer', '12', 12],
    ['integer', ' 1 2 ', 12],
    ['decimal', '1.5', 1.5],
    ['float', '-1e3', -1000],
    ['float', 0, 0],
  ])('%s takes %j for %j', (type, value, cast) => {
    expect(FIELDS[type].cast(value)).toBe(cast);
    expect(FIELDS[type].accepts(FIELDS[type].cast(value))).toBe(true);
  });

  it.each<[ScalarType, unknown]>([
    ['integer', 'abc'],
    ['decimal', ''],
    ['float', ' '],
    ['integer', true],
    ['integer', []],
    ['integer', {}],
  ])('%s does not take %j', (type, value) => {
    expect(FIELDS[type].accepts(FIELDS[type].cast(value))).toBe(false);
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['+7', '7'],
    [' 007 ', '7'],
    [12, '12'],
    [`${'0'.repeat(63)}7`, '7'],
  ])('biginteger keeps %j exactly as %j', (value, text) => {
    expect(store('biginteger', value)).toBe(text);
  });

  it.each([
    '9223372036854775808',
    '-9223372036854775809',
    `${'0'.repeat(64)}7`,
    '1.5',
    1.5,
    '',
    'abc',
    true,
    {},
    '1e3',
    '9'.repeat(100),
  ])('biginteger does not take %j', (value) => {
    expect(store('biginteger', value)).toBeNull();
  });
});

describe('a value of biginteger', () => {
  it.each([
    [' +7 ', '7', true],
    [12, '12', true],
    [1e20, '100000000000000000000', false],
    [1.5, 1.5, false],
  ])('%j is validated as %j, and is one of 64 bits: %s', (value, cast, isOne) => {
    expect(FIELDS.biginteger.cast(value)).toBe(cast);
    expect(isBigInteger(value)).toBe(isOne);
  });
});

it.each<[ScalarType, unknown, boolean]>([
  ['string', 'a', true],
  ['string', 5, false],
  ['integer', 5, true],
  ['integer', '5', false],
  ['integer', Number.NaN, false],
])('%s accepts %j: %s', (type, value, expected) => {
  expect(FIELDS[type].accepts(value)).toBe(expected);
});

describe('enumerations', () => {
  it.each([
    [5, '5'],
    [true, 'true'],
    ['a', 'a'],
    [null, null],
  ])('take %j for %j', (value, cast) => {
    expect(FIELDS.enumeration.cast(value)).toBe(cast);
  });
});

describe('booleans', () => {
  it.each([
    ['true', true],
    ['false', false],
    [1, true],
    [0, false],
    ['1', true],
    ['0', false],
    ['TRUE', true],
    ['False', false],
    [[true], true],
    [true, true],
  ])('take %j for %s', (value, cast) => {
    expect(FIELDS.boolean.cast(value)).toBe(cast);
  });

  it.each([true, false])('are %s again when they are read', (value) => {
    expect(FIELDS.boolean.read(FIELDS.boolean.store(value))).toBe(value);
  });

  it.each(['yes', 'T', ' true', 2, '', [], ['true', 'true'], [{ toString: 1 }], {}])('do not take %j', (value) => {
    expect(FIELDS.boolean.accepts(FIELDS.boolean.cast(value))).toBe(false);
  });
});

describe('a whole number beyond 64 bits, which an import may bring', () => {
  it('is shown without an exponent, and compared as a number', () => {
    expect(FIELDS.biginteger.read('9.2233720368547758e+18')).toBe('9223372036854776000');
    expect(FIELDS.biginteger.read('-9.2233720368547758e+18')).toBe('-9223372036854776000');
    expect(FIELDS.biginteger.read('9007199254740993')).toBe('9007199254740993');
    expect(FIELDS.biginteger.operand('-9223372036854776000', 'x')).toBe(-9223372036854776000);
  });
});

describe('JSON', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['[1,2]', [1, 2]],
    ['true', true],
    ['plain text', 'plain text'],
    ['"quoted"', '"quoted"'],
    [{ a: null }, { a: null }],
    [false, false],
  ])('%j comes back as %j', (value, shown) => {
    expect(FIELDS.json.read(store('json', value))).toEqual(shown);
  });

  it.each(['text', { a: 1 }, 5, true])('blocks turn %j at the top into null', (value) => {
    expect(FIELDS.blocks.cast(value)).toBeNull();
  });

  it('blocks parse the text of a list', () => {
    expect(FIELDS.blocks.cast('[{"type":"paragraph"}]')).toEqual([{ type: 'paragraph' }]);
  });
});

describe('operands of filters', () => {
  it.each<[ScalarType, unknown, RegExp]>([
    ['integer', 'abc', /^Invalid parameter at 'x'\. Expected a number, received: abc$/],
    ['decimal', '', /Expected a number/],
    ['float', 'Infinity', /Expected a number/],
    ['biginteger', '9'.repeat(65), /Expected an integer/],
    ['biginteger', '1.5', /^Invalid parameter at 'x'\. Expected an integer, received: 1\.5$/],
    ['date', 'soon', /^Invalid format, expected yyyy-MM-dd$/],
    ['datetime', 'soon', /^Invalid format/],
    ['time', 'soon', /^Invalid time format/],
  ])('%s refuses %j', (type, value, message) => {
    expect(() => FIELDS[type].operand(value, 'x')).toThrow(message);
  });

  it('a refusal quotes at most 100 characters of the operand', () => {
    const operand = 'x'.repeat(1_000);
    expect(() => FIELDS.integer.operand(operand, 'x')).toThrow(/received: x{100}$/);
  });

  it.each<[ScalarType, unknown, unknown]>([
    ['string', '5', '5'],
    ['integer', '5', 5],
    ['decimal', '-0.5', -0.5],
    ['biginteger', '9007199254740993', '9007199254740993'],
    ['biginteger', '9'.repeat(64), 1e64],
    ['biginteger', 12, '12'],
    ['string', null, ''],
    ['string', undefined, ''],
    ['boolean', 'true', 1],
    ['boolean', 't', 1],
    ['boolean', 'anything', 1],
    ['boolean', 'false', 0],
    ['boolean', 'f', 0],
    ['boolean', '0', 0],
    ['boolean', '', 0],
    ['date', '2024-01-31T10:00:00Z', '2024-01-31'],
    ['time', '10:00:00', '10:00:00.000'],
    ['datetime', '2024-01-01', Date.UTC(2024, 0, 1)],
    ['json', '{"a":1}', '{"a":1}'],
    ['json', ' 1.5 ', 1.5],
    ['json', '0x10', '0x10'],
    ['json', '1e999', '1e999'],
    ['json', '', ''],
    ['enumeration', 'a', 'a'],
  ])('%s compares with %j as %j', (type, value, operand) => {
    expect(FIELDS[type].operand(value, 'x')).toBe(operand);
  });
});
