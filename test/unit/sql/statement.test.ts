/**
 * @module SQL → statements, inside D1's limits.
 */
import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { ANY_DOCUMENT, balanced, columnOf, commaList, literal, valuesOf } from '../../../src/content/sql/pieces.ts';
import { filled, STATEMENT_PART, template, toStatement } from '../../../src/content/sql/render.ts';
import type { PageStatement } from '../../../src/content/sql/statement.ts';

const values = (count: number): SQL => commaList(Array.from({ length: count }, (_, index) => sql`${index}`));

describe('toStatement', () => {
  it('binds up to 90 parameters one by one', () => {
    const { sql: text, params } = toStatement(sql`select ${values(90)}`);
    expect(params).toHaveLength(90);
    expect(text.match(/\?/g)).toHaveLength(90);
  });

  it('binds more as one JSON list', () => {
    const { sql: text, params } = toStatement(sql`select ${values(101)}`);
    expect(params).toEqual([JSON.stringify(Array.from({ length: 101 }, (_, index) => index))]);
    expect(text).toMatch(/^select \(\?1->>'\$\[0\]'\), \(\?1->>'\$\[1\]'\), .*\(\?1->>'\$\[100\]'\)$/);
  });

  it('keeps null and text apart in the list', () => {
    const { params } = toStatement(sql`select ${values(99)}, ${null}, ${'null'}`);
    expect(params[0]).toMatch(/,null,"null"\]$/);
  });

  it('quotes identifiers', () => {
    expect(toStatement(sql`select ${columnOf('a"b', 'c')} from ${sql.identifier('a"b')}`).sql).toBe(
      'select "a""b"."c" from "a""b"',
    );
  });
});

describe('a statement of statements', () => {
  const three = template(sql`select (${STATEMENT_PART}), (${STATEMENT_PART}) from (${STATEMENT_PART})`);
  const long = toStatement(
    sql`${commaList(Array.from({ length: 91 }, (_, index) => sql`${`v${index}`}`))}, ${ANY_DOCUMENT}`,
  );
  const short = toStatement(sql`${'a'}, ${'b'}`);

  it('has no parameters of its own, which would take the numbers of its parts', () => {
    expect(() => template(sql`select ${'own'}, (${STATEMENT_PART})`)).toThrow('a parameter in a template');
  });

  it.each([
    ['last', short, short, long, 5],
    ['first', long, short, short, 1],
    ['second and last', short, long, long, 3],
  ])('keeps the values of a JSON list that stands %s', (_, first, second, third, number) => {
    const { sql: text, params } = three(first, second, third);
    expect(params).toEqual([first, second, third].flatMap((part) => part.params));
    expect(text).toContain(`(?${number}->>'$[0]'), `);
    expect(text).toContain(`(?${number}->>'$[90]'), ?${number + 1}`);
    const numbers = [...text.matchAll(/\?(\d+)/g)].map(([, given]) => Number(given));
    const plain = text.match(/\?(?!\d)/g)?.length ?? 0;
    expect(new Set(numbers).size + plain).toBe(params.length);
  });
});

describe('a template of several lines', () => {
  const inner = sql`(
    select 1
    where (
      2
    )
  )`;

  it('is one line in the statement', () => {
    const text = sql`
      select ${sql.identifier('a')}
      from ${inner} as "$b"
      where "a" = ${'x\n  y'}
        and "b" in (
          ${'z'}
        )`;
    expect(toStatement(text)).toEqual({
      sql: 'select "a" from (select 1 where (2)) as "$b" where "a" = ? and "b" in (?)',
      params: ['x\n  y', 'z'],
    });
  });

  it('is the same whenever it is rendered', () => {
    expect(toStatement(inner)).toEqual(toStatement(inner));
  });

  it('keeps spaces that indent nothing', () => {
    expect(toStatement(sql`select '  ' || ( 1 )`).sql).toBe(`select '  ' || ( 1 )`);
  });
});

describe('a value', () => {
  it('keeps its place, however deep it stands', () => {
    const inner = sql`${'b'} and ${sql`${'c'} or ${sql`d`}`}`;
    expect(toStatement(sql`${'a'} ${inner} ${'e'}`)).toEqual({ sql: '? ? and ? or d ?', params: ['a', 'b', 'c', 'e'] });
  });

  it.each(['?', "'", '"', 'a ? b', 0, null, true])('%j is bound, and never becomes text', (value) => {
    expect(toStatement(sql`select ${value}`)).toEqual({ sql: 'select ?', params: [value] });
  });

  it('may be a list of bytes where it is named as a value', () => {
    expect(toStatement(sql`select ${sql.param([1, 2])}`)).toEqual({ sql: 'select ?', params: [[1, 2]] });
  });

  it.each([
    ['undefined', undefined],
    ['a list', ['x']],
    ['object', { sql: 'x' }],
    ['symbol', Symbol('x')],
    ['function', () => sql`x`],
  ])('is no %s, wherever it stands', (what, value) => {
    expect(() => toStatement(sql`select ${sql`1 + ${value}`}`)).toThrow(`neither SQL nor a value: ${what}`);
  });
});

describe('the mark of values', () => {
  it('stands in no template', () => expect(() => toStatement(sql`select ?`)).toThrow('a mark in a template'));
  it('stands in no name', () => expect(() => toStatement(sql`${sql.identifier('a?')}`)).toThrow('a mark in a name'));
  it('stands in no literal', () => expect(() => literal('a?')).toThrow('no name of the registry'));
});

describe('valuesOf', () => {
  it('binds a list of any length as one parameter', () => {
    const { sql: text, params } = toStatement(valuesOf(['a', 1, "'"]));
    expect(text).toBe('(select value from json_each(?))');
    expect(params).toEqual(['["a",1,"\'"]']);
  });
});

describe('balanced', () => {
  const tree = (count: number, operator: 'and' | 'or') =>
    toStatement(
      balanced(
        Array.from({ length: count }, (_, index) => literal(`${index}`)),
        operator,
      ),
    ).sql;
  const depthOf = (text: string) => {
    let depth = 0;
    return Math.max(...[...text].map((character) => (depth += character === '(' ? 1 : character === ')' ? -1 : 0)));
  };

  it.each([
    [0, 'and', '1'],
    [0, 'or', '0'],
    [1, 'or', "'0'"],
    [2, 'and', "('0' and '1')"],
    [3, 'or', "(('0' or '1') or '2')"],
    [4, 'and', "(('0' and '1') and ('2' and '3'))"],
  ] as const)('of %i with %s is %s', (count, operator, text) => {
    expect(tree(count, operator)).toBe(text);
  });

  it('is as deep as the logarithm of its length', () => {
    expect(depthOf(tree(500, 'or'))).toBe(9);
  });
});

describe('a statement about whichever document', () => {
  const asked = (values: number) => {
    const others = Array.from({ length: values }, (_, place) => sql`${place}`);
    return sql`select ${commaList(others)} where "document_id" = ${ANY_DOCUMENT}`;
  };

  it('is about one of them once that is named', () => {
    const { params } = filled(toStatement(asked(2)), { documentId: 'named' });
    expect(params).toEqual([0, 1, 'named']);
  });

  it('has it beside the list of values when these are too many', () => {
    const statement = filled(toStatement(asked(200)), { documentId: 'named' });
    expect(statement.sql).toMatch(/"document_id" = \?2$/);
    expect([statement.params.length, statement.params[1]]).toEqual([2, 'named']);
  });

  it('has it once, however often it is asked about', () => {
    const { sql: text, params } = toStatement(sql`${asked(200)} and "other" = ${ANY_DOCUMENT}`);
    expect(text).toMatch(/"document_id" = \?2 and "other" = \?2$/);
    expect(params).toEqual([expect.any(String), ANY_DOCUMENT]);
  });

  it('is measured for that one, too', () => {
    const page = (values: number): PageStatement => ({ ...toStatement(asked(values)), kind: 'page', width: 1 });
    const own: PageStatement = { ...page(0), measured: () => [toStatement(asked(2)), page(1)] };
    const { measured } = filled(own, { documentId: 'named' });
    expect(measured?.().map(({ params }) => params)).toEqual([
      [0, 1, 'named'],
      [0, 'named'],
    ]);
  });
});
