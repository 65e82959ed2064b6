/**
 * @module Whatever a statement of a read looks at is among what its answer is said to depend on.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EVERYTHING } from '../../src/access/grants.ts';
import { ApiError } from '../../src/common/errors.ts';
import type { ReadPlan } from '../../src/content/plan/model/read-plan.ts';
import { dependenciesOf } from '../../src/content/plan/read/dependencies.ts';
import { hasFacet } from '../../src/content/plan/read/facets.ts';
import { planList } from '../../src/content/plan/read/plan-read.ts';
import { parseQueryParams } from '../../src/content/request/query-params.ts';
import { parseQueryString } from '../../src/content/request/query-string.ts';
import { compileRead } from '../../src/content/sql/read/select.ts';
import { isHidden } from '../../src/schema/attribute-kinds.ts';
import { linkTable, stampName } from '../../src/schema/names.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { queryOn, searchOf } from '../generators/queries.ts';
import { recordedRegistry } from '../support/recorded-registry.ts';
import { parameters, progress, timeout } from './options.ts';
import { askingOf } from './queries.ts';

const settings = parseSettings({});
const types = [...recordedRegistry.contentTypes.values()];

/** Table → the types of which a change may change its rows. */
const TYPES_OF = new Map<string, readonly string[]>(
  types.flatMap((type) => [
    [type.table, [type.uid]] as const,
    ...[...type.attributes.values()].flatMap((attribute) => {
      if (attribute.kind === 'media')
        return [[linkTable(type.table, attribute.name), [type.uid, 'plugin::upload.file']] as const];
      const owns = attribute.kind === 'relation' && attribute.owner;
      return owns ? [[linkTable(type.table, attribute.name), [type.uid, attribute.target]] as const] : [];
    }),
  ]),
);

function planOf(search: string, uid: string): ReadPlan | undefined {
  const type = recordedRegistry.contentTypes.get(uid);
  if (!type) throw new Error(uid);
  try {
    const params = parseQueryParams(parseQueryString(search, settings.api.rest.limits), 'list', settings);
    return planList(params, type, { registry: recordedRegistry, settings, grants: EVERYTHING });
  } catch (error) {
    if (error instanceof ApiError && error.problem.kind === 'validation') return undefined;
    throw error;
  }
}

/** Names of tables in a statement: columns come after a dot, aliases begin with `$`. */
const tablesIn = (sql: string): readonly string[] =>
  [...sql.matchAll(/\b(?:from|join) "([^"$]+)"/g)].map(([, table = '']) => table);

const asked = fc
  .constantFrom(...types.filter(({ pluralName }) => recordedRegistry.routes.has(pluralName.toLowerCase())))
  .chain((type) =>
    fc
      .tuple(
        queryOn(type, askingOf(recordedRegistry), { depth: 3, width: 3, list: 3 }),
        fc.constantFrom('', '&status=draft', '&publicationFilter=modified&status=draft'),
        fc.constantFrom(
          '',
          `&facets=${[...type.attributes.values()].filter((each) => hasFacet(each) && !isHidden(each)).map(({ name }) => name)}`,
        ),
      )
      .map(([query, ...more]) => ({ uid: type.uid, search: [searchOf(query), ...more].join('') })),
  );

it('every table that a read names has its stamp among those its answer depends on', { timeout }, () => {
  const tick = progress('dependencies');
  let looked = 0;
  const property = fc.property(asked, ({ uid, search }) => {
    tick();
    const plan = planOf(search, uid);
    if (!plan) return;
    const names = dependenciesOf(plan);
    const tables = compileRead(plan).statements.flatMap(({ sql }) => tablesIn(sql));
    looked += tables.length;
    for (const table of tables)
      for (const type of TYPES_OF.get(table) ?? [])
        expect(
          names.filter((name) => [stampName(type, 'draft'), stampName(type, 'published')].includes(name)),
          `${table} of ${search}`,
        ).not.toEqual([]);
  });
  fc.assert(property, parameters('dependencies', { sample: 300, length: 1 }));
  expect(looked).toBeGreaterThan(100);
});
