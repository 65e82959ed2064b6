/**
 * @module The work of a body grows linearly with it. Work is counted and not timed: the lengths of all lists that are
 * searched.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { assemble } from '../../../src/content/document/assemble.ts';
import type { Populate } from '../../../src/content/plan/model/read-plan.ts';
import type { StoredValues } from '../../../src/content/plan/model/write-plan.ts';
import type { Current, WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import { allRelationInputs } from '../../../src/content/plan/relations/plan-relations.ts';
import { checkKeys } from '../../../src/content/plan/validate/validate-keys.ts';
import { planWrite } from '../../../src/content/plan/write/plan-write.ts';
import { LINK_STEP } from '../../../src/schema/names.ts';
import { recordedRegistry, typeAt } from '../../support/recorded-registry.ts';

const SEARCHES = ['find', 'findIndex', 'findLastIndex', 'indexOf', 'includes', 'some', 'filter', 'splice'] as const;
const SMALL = 500;
const LARGE = 4 * SMALL;

afterEach(() => vi.restoreAllMocks());

/** Sums the lengths of the lists that the work searches. */
function searched(work: () => void): number {
  let total = 0;
  const methods = Array.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of SEARCHES) {
    const original = methods[name];
    vi.spyOn(methods, name).mockImplementation(function (this: unknown[], ...args) {
      total += this.length;
      return original?.apply(this, args);
    });
  }
  work();
  vi.restoreAllMocks();
  return total;
}

/** Four times the input is at most about four times the work. */
function expectLinear(work: (count: number) => void): void {
  const [small, large] = [searched(() => work(SMALL)), searched(() => work(LARGE))];
  expect(small).toBeGreaterThan(0);
  expect(large / small).toBeLessThan(6);
}

const type = typeAt('articles');
const means = { time: 5, nextId: () => Math.random(), hashPassword: (password: string) => password };
const list = <T>(count: number, item: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => item(index));

const request = (data: WriteRequest['data'], operation: 'create' | 'update', status = 'draft'): WriteRequest => ({
  registry: recordedRegistry,
  strictRelations: true,
  emptySetClears: true,
  allIssues: true,
  type,
  document: { kind: 'named', documentId: 'a' },
  documentId: 'a',
  locale: 'en',
  defaultLocale: 'en',
  status: status as 'draft',
  operation,
  data,
});

it('a value of a json attribute is not searched for components and relations', () => {
  const data = { title: 'JSON', extra: Array.from({ length: LARGE }, () => ({})) };
  const grants = { allows: () => true } as never;
  const work = searched(() => {
    checkKeys(data, type, recordedRegistry, grants, { isRestoring: false, emptySetClears: false });
    allRelationInputs(data, type.attributes, recordedRegistry);
  });
  expect(work).toBeLessThan(LARGE);
});

/** A document with so many links of the component `links`, and as many tags. */
function current(count: number): Current {
  const links = JSON.stringify(list(count, (id) => ({ id, label: 'l', href: 'h' })));
  const columns = new Map([...type.attributes.values()].map((item) => [item, item.name === 'links' ? links : null]));
  const row = {
    document: { kind: 'named', documentId: 'a' },
    documentId: 'a',
    locale: 'en',
    status: 'draft',
    values: columns as never as StoredValues,
    updatedAt: 1,
    isPublished: false,
  } as const;
  const tags = type.attributes.get('tags');
  const present = list(count, (index) => ({
    documentId: `t${index}`,
    locale: '',
    published: true,
    status: 'draft' as const,
    position: (index + 1) * LINK_STEP,
  }));
  const targets = list(count, (id) => ({ id, documentId: `t${id}`, locale: '', published: true }));
  return {
    row,
    taken: new Set(),
    takenAt: new Map(),
    innerTargets: new Map(),
    targets: new Map([['api::tag.tag', targets]]),
    links: new Map([[tags as never, present]]),
    originalLinks: new Map(),
    sourceLinks: new Map(),
    equalEnds: new Set(),
  };
}

describe('a body of many', () => {
  it('components is planned in linear time, new and old', () => {
    const items = (count: number) => list(count, (id) => ({ id, label: 'l', href: 'h' }));
    expectLinear((count) => planWrite(request({ title: 'abc', links: items(count) }, 'update'), current(count), means));
  });

  it('components with one id is planned in linear time', () => {
    const same = (count: number) => list(count, () => ({ id: 1, label: 'l' }));
    expectLinear((count) => planWrite(request({ links: same(count) }, 'update'), current(count), means));
  });

  it.each<readonly [string, (index: number) => object]>([
    ['at the start', () => ({ start: true })],
    ['at the end', () => ({ end: true })],
    ['before the last', (index) => ({ before: `t${index + 1}` })],
    ['after the first', () => ({ after: 't0' })],
  ])('relations placed %s is planned in linear time', (_, position) => {
    const connect = (count: number) =>
      list(count - 1, (index) => ({ documentId: `t${index}`, position: position(index) }));
    expectLinear((count) => planWrite(request({ tags: { connect: connect(count) } }, 'update'), current(count), means));
  });
});

describe('a response of many', () => {
  const target = recordedRegistry.contentTypes.get('api::author.author');
  const speaker = recordedRegistry.components.get('blocks.quote')?.attributes.get('speaker');
  const zone = type.attributes.get('sections');
  const selection = { attributes: [], populate: [] };

  it.each([
    ['as they are listed', []],
    ['with a sort', [{}]],
  ])('components with references is assembled in linear time, %s', (_, order) => {
    const reference = {
      kind: 'reference',
      name: 'speaker',
      attribute: speaker,
      target,
      order,
      count: false,
      multiple: true,
      selection,
    };
    const part = { attributes: [], populate: [reference] };
    const node = { kind: 'dynamiczone', name: 'sections', attribute: zone, parts: new Map([['blocks.quote', part]]) };
    const shown = { attributes: [], populate: [node as unknown as Populate] };
    const plan = { selection: shown, ceiling: { rows: 1e9, bytes: 1e9 } };
    expectLinear((count) => {
      const instances = list(count, (id) => ({ id, __component: 'blocks.quote', speaker: [{ documentId: `d${id}` }] }));
      const rows = list(count, (id) => [[id, `d${id}`, '']]);
      const populated = JSON.stringify([['en', JSON.stringify(instances), JSON.stringify(rows)]]);
      const [document] = assemble([{ id: 1, document_id: 'a', $populated: populated }], plan as never);
      expect(document?.sections).toHaveLength(count);
    });
  });
});
