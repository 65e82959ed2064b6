/**
 * @module The references of a column that lead to the same rows, which one subquery reads.
 */
import { describe, expect, it } from 'vitest';
import type {
  Populate,
  PopulatedReference,
  Selection,
  SharedTargets,
} from '../../../src/content/plan/model/read-plan.ts';
import { withSharedTargets } from '../../../src/content/plan/read/shared-targets.ts';
import { populateRegistry, uidOf } from './populate-support.ts';
import { listPlan } from './support.ts';

type Column = Extract<Populate, { kind: 'component' | 'dynamiczone' }>;

function typeNamed(name: string) {
  const type = populateRegistry.contentTypes.get(uidOf(name));
  if (!type) throw new Error(name);
  return type;
}

const nodesOf = (search: string, name = 'page'): readonly Populate[] =>
  listPlan(typeNamed(name), search, { registry: populateRegistry }).selection.populate;

const columnOf = (search: string): Column => nodesOf(search)[0] as Column;

/** `tag{name} of 2` for two references to a tag. */
const printShared = ({ references, selection }: SharedTargets): string => {
  const own = selection.attributes.map(({ name }) => name).filter((name) => !/At$|^locale$/.test(name));
  const below = selection.populate.map(({ name }) => name);
  return `${references[0].target.singularName}{${[...own, ...below]}} of ${references.length}`;
};
const sharedOf = (search: string): readonly string[] | undefined => columnOf(search).shared?.map(printShared);

const ON = 'populate[zone][on]';
const bothTags = (box: string, quote: string) =>
  `${ON}[kit.box][populate][tag]${box}&${ON}[kit.quote][populate][tag]${quote}`;

describe('the references of a column', () => {
  it.each<[string, readonly string[]]>([
    ['populate=box', []],
    ['populate=zone', []],
    ['populate=box.tag', ['tag{name,weight} of 1']],
    ['populate=zone.tag', ['tag{name,weight} of 2']],
    ['populate=zone.inner.tags,zone.tag', ['tag{name,weight} of 3']],
    ['populate[zone][populate]=*', ['tag{name,weight} of 2', 'page{title,slug} of 1', 'person{name} of 1']],
    [bothTags('=true', '=true'), ['tag{name,weight} of 2']],
    [bothTags('[fields]=name', '[fields]=weight'), ['tag{name,weight} of 2']],
    [bothTags('[fields]=name', '=true'), ['tag{name,weight} of 2']],
    [bothTags('[count]=true', '[fields]=name'), ['tag{name} of 2']],
    [bothTags('[count]=true', '[count]=true'), ['tag{} of 2']],
    [bothTags('[filters][name]=a', '=true'), ['tag{name,weight} of 1', 'tag{name,weight} of 1']],
    [bothTags('[filters][name]=a', '[filters][name]=b'), ['tag{name,weight} of 1', 'tag{name,weight} of 1']],
    [bothTags('[filters][name]=a', '[filters][name]=a'), ['tag{name,weight} of 2']],
    [bothTags('[sort]=name', '[sort]=weight'), ['tag{name,weight} of 1', 'tag{name,weight} of 1']],
    ['populate[box][populate][inner][populate][any][on][api::tag.tag]=true', ['tag{name,weight} of 1']],
    [
      'populate[box][populate][inner]=true&populate[box][populate][page][populate]=author',
      ['page{title,slug,author} of 1'],
    ],
  ])('are shared by their targets: %s: %j', (search, shared) => {
    expect(sharedOf(search)).toEqual(shared);
  });

  it('of links to any type are shared with others', () => {
    const inner = 'populate[box][populate][inner][populate]';
    const search = `${inner}[any][on][api::tag.tag]=true&${inner}[any][on][api::page.page]=true&${inner}[tags]=true`;
    expect(sharedOf(search)).toEqual(['page{title,slug} of 1', 'tag{name,weight} of 2']);
  });

  it('keep the list that has all attributes, by which pieces of SQL are kept', () => {
    const { shared = [] } = columnOf(bothTags('[fields]=name', '=true'));
    expect(shared[0]?.selection.attributes).toBe(shared[0]?.references[1]?.selection.attributes);
  });

  it('stand at the column of each row, and not at a component within it', () => {
    const column = columnOf(
      `${ON}[kit.box][populate][page][populate][box][populate]=tag&${ON}[kit.box][populate][inner][populate]=tags&${ON}[kit.box][filters][label]=a`,
    );
    if (column.kind !== 'dynamiczone') throw new Error(column.kind);
    const part = column.parts.get('kit.box');
    const [page, inner] = part?.populate ?? [];
    expect(part?.where).toMatchObject({ kind: 'compare' });
    expect(inner).toMatchObject({ kind: 'component', name: 'inner' });
    expect(inner).not.toHaveProperty('shared');
    const [box] = page && 'selection' in page ? page.selection.populate : [];
    expect((box as Column).shared?.map(printShared)).toEqual(['tag{name,weight} of 1']);
  });

  it.each(['populate=author.box.tag', 'populate[any][on][api::person.person][populate][box][populate]=tag'])(
    'are those of the columns of targets, too: %s',
    (search) => {
      const [node] = nodesOf(search);
      const person = node?.kind === 'polymorphic' ? node.parts[0] : node;
      const [box] = person && 'selection' in person ? person.selection.populate : [];
      expect((box as Column).shared?.map(printShared)).toEqual(['tag{name,weight} of 1']);
    },
  );
});

describe('two references', () => {
  const column = columnOf('populate[box][populate]=page');
  const [reference] = (column as Extract<Column, { kind: 'component' }>).selection
    .populate as readonly PopulatedReference[];
  if (!reference) throw new Error('no reference');
  const below = (search: string): Selection => ({ ...reference.selection, populate: nodesOf(search) });
  const zoneWith = (component: string) => below(`${ON}[${component}]=true`);

  it.each<[number, string, Partial<PopulatedReference>, Partial<PopulatedReference>]>([
    [1, 'in all', {}, {}],
    [1, 'in all but the attributes', {}, { selection: { attributes: [], populate: [] } }],
    [1, 'in all but a count', {}, { count: true }],
    [1, 'in all, where one is a count', {}, { count: true, selection: below('populate=author') }],
    [1, 'below', { selection: below('populate=author') }, { selection: below('populate=author') }],
    [2, 'but not in the type', {}, { target: typeNamed('person') }],
    [2, 'but not in the version', {}, { status: 'draft' }],
    [2, 'but not in what the caller may see', {}, { visible: { kind: 'never' } }],
    [2, 'but not in a filter', {}, { where: { kind: 'never' } }],
    [
      2,
      'but not in the order',
      {},
      { order: [{ steps: [], attribute: reference.selection.attributes[0] as never, descending: true }] },
    ],
    [2, 'but not below', {}, { selection: below('populate=author') }],
    [
      2,
      'but not in attributes below',
      { selection: below('populate=author') },
      { selection: below('populate[author][fields]=id') },
    ],
    [2, 'but not in components below', { selection: zoneWith('kit.box') }, { selection: zoneWith('kit.quote') }],
  ])('have %i subqueries if they are alike %s', (count, _, first, second) => {
    const populate = [
      { ...reference, ...first },
      { ...reference, name: 'other', ...second },
    ];
    const [node] = withSharedTargets([{ ...column, selection: { attributes: [], populate } } as Populate]);
    expect((node as Column).shared).toHaveLength(count);
  });
});
