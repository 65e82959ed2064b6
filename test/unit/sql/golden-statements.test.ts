/**
 * @module The SQL of reads: that of a page, and that which measures it first. What it is expected to be stands in
 * `test/golden/statements/`; `npm test -- test/unit/sql/golden-statements.test.ts -u` writes it anew, to be read before it
 * is kept. Golden reads of `test/feature/reads` have the rows, too.
 */
import { expect, it } from 'vitest';
import { EVERYTHING, type Grants, ruleOf } from '../../../src/access/grants.ts';
import { rulesOf } from '../../../src/access/rule.ts';
import type { ReadPlan } from '../../../src/content/plan/model/read-plan.ts';
import { grantCondition } from '../../../src/content/plan/read/rule-condition.ts';
import { ANY_VALUE } from '../../../src/content/sql/pieces.ts';
import { compileCondition } from '../../../src/content/sql/read/conditions.ts';
import { compileRead } from '../../../src/content/sql/read/select.ts';
import { toStatement } from '../../../src/content/sql/render.ts';
import { rowScope } from '../../../src/content/sql/scope.ts';
import { isPage, type Statement } from '../../../src/content/sql/statement.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { RULES, STATEMENTS } from '../../support/golden-statements.ts';
import { scalarOf, typeAt } from '../../support/recorded-registry.ts';
import { indexedRegistry } from '../../support/story-model.ts';
import { listPlan, onePlan, type ReaderOptions } from '../plan/support.ts';

const LOCALES = [
  { code: 'en', name: 'en', isDefault: true },
  { code: 'fr', name: 'fr' },
  { code: 'de', name: 'de' },
  { code: 'nl', name: 'nl', fallback: ['fr', 'en'] },
];
const settings = parseSettings({ i18n: { locales: LOCALES } });

const action = (name: string) => ['find', 'findOne', 'readDrafts'].map((each) => `api::${name}.${name}.${each}`);
const rule = rulesOf([
  { action: action('story'), where: { year: { $gt: 2000 } } },
  { action: action('person'), where: { name: '$user.department' } },
  { action: action('topic'), where: { name: { $ne: 'hidden' } } },
  { action: action('room'), where: { createdAt: { $in: ['$now', '2020-01-01'] }, updatedAt: { $notIn: ['$now'] } } },
  { action: action('front'), where: { title: { $ne: 'hidden' } } },
])?.({ user: 7, now: 0 });
const limited: Grants = { ...EVERYTHING, rule };
/** In a chain of locales, the documents of the read itself are limited, too. */
const limitedIn = (name: string, { uid }: ContentType): ReaderOptions => ({
  grants: limited,
  ...(name.endsWith('in-a-chain') && { rule: ruleOf(limited, uid, 'find') }),
});

/** The plan of a later page. */
const behindCursor = (plan: ReadPlan): ReadPlan => ({
  ...plan,
  cursor: { ...plan.cursor, after: plan.order.map((_, index) => index) } as never,
});

/** One line for each clause. */
const lines = (sql: string): string => sql.replaceAll(/ (from|join|where|order by|limit|union) /g, '\n$1 ');

const measured = (statement: Statement): readonly Statement[] =>
  isPage(statement) && statement.measured ? statement.measured() : [];

const seen = new Map<string, string>();

/** A statement that an earlier read has stands there by its name. */
function shown({ sql, params }: Statement, label: string): string {
  const known = seen.get(sql);
  if (known === undefined) seen.set(sql, label);
  return `${known === undefined ? lines(sql) : `[${known}]`}\n${JSON.stringify(params)}`;
}

it.each(Object.entries(STATEMENTS))('%s', async (name, read) => {
  const [route = '', search = ''] = read.split('?');
  const type = typeAt(route, indexedRegistry);
  const options = { settings, registry: indexedRegistry, ...(name.startsWith('shown') && limitedIn(name, type)) };
  const isOne = name.startsWith('one') || type.kind === 'singleType';
  const planned = (isOne ? onePlan : listPlan)(type, search, options);
  const plan = {
    ...(/^behind-a-(counted-)?cursor/.test(name) ? behindCursor(planned) : planned),
    ...(name.startsWith('looked-up') && { lookup: { attribute: scalarOf(type, 'slug'), value: ANY_VALUE } }),
  };
  const { statements } = compileRead(plan);
  const all = [...statements, ...statements.flatMap(measured)];
  const parts = [`GET /api/${read}`, ...all.map((each, index) => shown(each, `${name} ${index + 1}`))];
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot(`../../golden/statements/${name}.txt`);
});

it.each(Object.entries(RULES))('a condition on %s', async (name, [route, where]) => {
  const type = typeAt(route, indexedRegistry);
  const published: Grants = { allows: (id) => !id.endsWith('.readDrafts') };
  const grants = name.startsWith('published') ? published : EVERYTHING;
  const context = { registry: indexedRegistry, settings, grants };
  const condition = grantCondition({ ...where }, type, 'both', { caller: { user: 7, now: 0 } }, context);
  const { sql, params } = toStatement(compileCondition(condition, rowScope(type)));
  const parts = [`${route} ${JSON.stringify(where)}`, lines(sql), JSON.stringify(params)];
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot(`../../golden/statements/rule-${name}.txt`);
});
