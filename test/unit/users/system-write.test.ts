/**
 * @module The request to write a row of a system type, by who sends it.
 */
import { describe, expect, it } from 'vitest';
import { limited, systemCurrent, systemWrite } from '../../../src/content/operations/system-rows.ts';
import type { Condition, ReadPlan } from '../../../src/content/plan/model/read-plan.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([contentType('gadget', { name: { type: 'string' } })]);
const gadget = registry.routes.get('gadgets') as ContentType;
const settings = parseSettings({ api: { documents: { mixedRelations: 'strapi' } } });

describe('a write of a system row', () => {
  it.each([
    [undefined, false],
    [true, true],
  ])('clears a relation by an empty set, with mixedRelations: strapi, if a tool sends it: %s', (isOfTool, clears) => {
    const { emptySetClears } = systemWrite({ registry, settings, isOfTool }, gadget, { documentId: 'a' }, {});
    expect(emptySetClears).toBe(clears);
  });

  it.each([
    [{ documentId: 'a' }, 'create', undefined],
    [
      { documentId: 'a', updatedAt: 0 },
      'update',
      { documentId: 'a', updatedAt: 0, status: 'published', isPublished: true },
    ],
  ] as const)('of %j is a %s', (target, operation, row) => {
    expect(systemWrite({ registry, settings }, gadget, target, {})).toMatchObject({
      operation,
      document: { documentId: 'a' },
    });
    const current = systemCurrent(target, { taken: new Set(['name']) });
    expect(current).toMatchObject({ links: new Map(), taken: new Set(['name']) });
    if (row) expect(current.row).toMatchObject(row);
    else expect(current.row).toBeUndefined();
  });

  it.each([
    ['strapi', false],
    ['documented', true],
  ] as const)('reports all issues with errorDetails: %s', (errorDetails, allIssues) => {
    const own = parseSettings({ api: { rest: { errorDetails } } });
    expect(systemWrite({ registry, settings: own }, gadget, { documentId: 'a' }, {}).allIssues).toBe(allIssues);
  });
});

describe('a plan with another condition', () => {
  const [one, other] = [{ kind: 'never' }, { kind: 'version', status: 'draft' }] as const satisfies Condition[];
  const planOf = (more: object) => more as ReadPlan;
  it('has both', () => {
    expect(limited(planOf({ where: other }), one).where).toEqual({ kind: 'and', conditions: [one, other] });
    expect(limited(planOf({}), one).where).toEqual(one);
  });

  it.each([
    ['counter', 'query'],
    ['query', 'query'],
    [undefined, undefined],
  ])('counts by %s as by %s, since the stored total knows no condition', (count, counted) => {
    expect(limited(planOf({ count }), one).count).toBe(counted);
  });
});
