/**
 * @module The rules of scalar attributes and their messages, on drafts and for publication.
 */
import { describe, expect, it } from 'vitest';
import { messagesFor } from './rules-support.ts';

type Row = readonly [json: Readonly<Record<string, unknown>>, value: unknown, message: string];

const cast = (type: string, final: string, from: string) =>
  `it must be a \`${type}\` type, but the final value was: \`${final}\` (cast from the value \`${from}\`).`;
const wrong = (type: string, final: string) => `it must be a \`${type}\` type, but the final value was: \`${final}\`.`;
const SKU = { type: 'string', regex: '^[A-Z]{2}-\\d{4}$' };
const TONE = { type: 'enumeration', enum: ['neutral', 'in-depth'] };

/** Refused whether the document is a draft or not. */
const ALWAYS: readonly Row[] = [
  [{ type: 'string' }, 5, wrong('string', '5')],
  [{ type: 'text' }, true, wrong('string', 'true')],
  [{ type: 'richtext' }, ['a'], wrong('string', '[\n  "\\"a\\""\n]')],
  [{ type: 'email' }, {}, wrong('string', '{}')],
  [{ type: 'password' }, 5, wrong('string', '5')],
  [{ type: 'uid' }, 5, wrong('string', '5')],
  [{ type: 'integer' }, 'abc', cast('number', 'NaN', '"abc"')],
  [{ type: 'integer' }, '', cast('number', 'NaN', '""')],
  [{ type: 'decimal' }, true, cast('number', 'NaN', 'true')],
  [{ type: 'float' }, [1, 2], cast('number', 'NaN', '[\n  "1",\n  "2"\n]')],
  [{ type: 'integer' }, 1.5, 'it must be an integer'],
  [{ type: 'boolean' }, 'yes', wrong('boolean', '"yes"')],
  [{ type: 'boolean' }, 2, wrong('boolean', '2')],
  [{ type: 'boolean' }, '', wrong('boolean', '""')],
  [{ type: 'biginteger' }, '1.5', 'it must be a valid integer'],
  [{ type: 'biginteger' }, '9223372036854775808', 'it must be a valid integer'],
  [{ type: 'biginteger' }, true, 'it must be a valid integer'],
  [{ type: 'decimal' }, '1e999', 'it must be a finite number'],
  [{ type: 'string', maxLength: 3 }, 'abcd', 'it must be at most 3 characters'],
  [{ type: 'text', maxLength: 3 }, 'abcd', 'it must be at most 3 characters'],
  [{ type: 'uid', maxLength: 3 }, 'abcd', 'it must be at most 3 characters'],
  [{ type: 'richtext', maxLength: 3 }, 'abcd', 'it must be at most 3 characters'],
  [{ type: 'password', maxLength: 3 }, 'abcd', 'it must be at most 3 characters'],
  [{ type: 'email', maxLength: 5 }, 'zoe@example.com', 'it must be at most 5 characters'],
  [{ type: 'string', maxLength: 300 }, 'x'.repeat(301), 'it must be at most 300 characters'],
  [{ type: 'integer', max: 5.9 }, 6, 'it must be less than or equal to 5'],
  [{ type: 'decimal', max: 5 }, 5.5, 'it must be less than or equal to 5'],
  [{ type: 'string' }, 'x'.repeat(256), 'it must be at most 255 characters'],
  [{ type: 'integer', max: 5 }, 6, 'it must be less than or equal to 5'],
  [{ type: 'float', max: '0.5' }, 0.6, 'it must be less than or equal to 0.5'],
  [TONE, 'loud', 'it must be one of the following values: neutral, in-depth, '],
  [TONE, '', 'it must be one of the following values: neutral, in-depth, '],
];

/** Refused for publication and on types without drafts; drafts take it. */
const ON_PUBLICATION: readonly Row[] = [
  [{ type: 'string', minLength: 3 }, 'ab', 'it must be at least 3 characters'],
  [{ type: 'string', minLength: 3 }, '', 'it must be at least 3 characters'],
  [{ type: 'text', minLength: 3 }, 'ab', 'it must be at least 3 characters'],
  [{ type: 'integer', min: 1 }, 0, 'it must be greater than or equal to 1'],
  [{ type: 'decimal', min: '-0.5' }, -1, 'it must be greater than or equal to -0.5'],
  [SKU, 'ab-12', 'it must match the following: "/^[A-Z]{2}-\\d{4}$/"'],
  [{ ...SKU, required: true }, '', 'it must match the following: "/^[A-Z]{2}-\\d{4}$/"'],
  [{ type: 'uid', minLength: 3 }, 'ab', 'it must be at least 3 characters'],
  [{ type: 'uid', regex: '^a' }, 'b', 'it must match the following: "/^a/"'],
  [{ type: 'email', regex: '^a' }, 'zoe@example.com', 'it must match the following: "/^a/"'],
  [{ type: 'integer', min: 1.9 }, 0, 'it must be greater than or equal to 1'],
  [{ type: 'uid' }, 'a b', 'it must match the following: "/^[A-Za-z0-9-_.~]*$/"'],
  [{ type: 'email' }, 'nobody', 'it must be a valid email'],
  [{ type: 'email' }, 'a@b', 'it must be a valid email'],
  [{ type: 'email' }, '', 'it cannot be empty'],
];

const PASSES: readonly (readonly [Row[0], unknown])[] = [
  [{ type: 'string' }, ''],
  [{ type: 'string', required: true }, ''],
  [{ type: 'string' }, ' padded '],
  [{ type: 'string' }, 'x'.repeat(255)],
  [{ type: 'text' }, 'x'.repeat(5_000)],
  [{ type: 'string', minLength: 3, maxLength: 3 }, 'abc'],
  [SKU, 'AB-1234'],
  [SKU, ''],
  [{ type: 'uid' }, 'a-b_c.d~1'],
  [{ type: 'uid' }, ''],
  [{ type: 'email' }, 'zoe@example.com'],
  [{ type: 'email' }, 'zoë@exämple.com'],
  [{ type: 'integer', min: 1, max: 5 }, 1],
  [{ type: 'integer', min: 1, max: 5 }, '5'],
  [{ type: 'decimal', min: 0 }, 0],
  [{ type: 'integer', min: 1.9, max: 5.9 }, 1],
  [{ type: 'float', min: '-0.5', max: '0.5' }, 0.5],
  [{ type: 'email', minLength: 50 }, 'zoe@example.com'],
  [{ type: 'string', maxLength: 300 }, 'x'.repeat(300)],
  [{ type: 'float' }, -1.5],
  [{ type: 'biginteger' }, '9223372036854775807'],
  [{ type: 'boolean' }, false],
  [{ type: 'boolean' }, 'false'],
  [{ type: 'json' }, [1, 'a', null]],
  [{ type: 'json' }, 'text'],
  [TONE, 'in-depth'],
];

describe('a value of the wrong kind', () => {
  it.each(ALWAYS)('%j refuses %j on drafts too: %s', (json, value, message) => {
    expect(messagesFor(json, value, 'draft')).toEqual([message]);
    expect(messagesFor(json, value, 'publication')).toEqual([message]);
    expect(messagesFor(json, value, 'update')).toEqual([message]);
  });
});

describe('a value that may not be published', () => {
  it.each(ON_PUBLICATION)('%j refuses %j for publication only: %s', (json, value, message) => {
    expect(messagesFor(json, value, 'draft')).toEqual([]);
    expect(messagesFor(json, value, 'publication')).toContain(message);
  });

  it('is told with everything that is wrong with it', () => {
    expect(messagesFor({ type: 'string', minLength: 5, regex: '^b' }, 'abc')).toEqual([
      'it must be at least 5 characters',
      'it must match the following: "/^b/"',
    ]);
  });
});

it('an enumeration that is no text is told for both', () => {
  const messages = messagesFor({ type: 'enumeration', enum: ['a'] }, ['a'], 'draft');
  expect(messages.map((message) => message.slice(0, 16))).toEqual(['it must be a `st', 'it must be one o']);
});

describe('a value that fits', () => {
  it.each(PASSES)('%j takes %j', (json, value) => {
    expect(messagesFor(json, value, 'publication')).toEqual([]);
    expect(messagesFor(json, value, 'draft')).toEqual([]);
  });
});
