/**
 * @module Questions about what is hidden, as an attacker puts them: a path to it, and a guess.
 */
import fc from 'fast-check';
import { OPERATORS } from '../../src/content/request/operators.ts';
import type { Attribute, ContentType } from '../../src/schema/model.ts';
import { below, type Owner } from '../generators/queries.ts';
import { GUESSES } from './invariants.ts';
import { registry } from './model.ts';

const MOST_STEPS = 4;

/** Types whose documents only full access may find. */
const FORBIDDEN: ReadonlySet<Owner> = new Set(
  [...registry.contentTypes.values()].filter(
    ({ singularName }) => singularName === 'comment' || singularName === 'issue',
  ),
);

/** Types of which strangers may not read drafts. */
const DRAFTED: ReadonlySet<Owner> = new Set(
  [...registry.contentTypes.values()].filter(({ draftAndPublish }) => draftAndPublish),
);

const hiddenIn = (owner: Owner): readonly Attribute[] =>
  [...owner.attributes.values()].filter((item) => {
    if (item.kind !== 'scalar' || item.name === 'locale') return false;
    const forbidden = FORBIDDEN.has(owner) && (item.name === 'text' || item.name === 'title');
    const drafted = DRAFTED.has(owner) && item.name === 'title';
    return forbidden || drafted || item.private || item.type === 'password';
  });

/** Each item as often as it weighs. */
const weighed = <T>(items: readonly T[], weight: (item: T) => number): readonly T[] =>
  items.flatMap((item) => Array.from({ length: weight(item) }, () => item));

/** Names from a type or component to something that is hidden, more often than not. */
function pathOn(owner: Owner, steps: number): fc.Arbitrary<readonly string[]> {
  const all = [...owner.attributes.values()];
  const hidden = hiddenIn(owner);
  const ends = hidden.length > 0 ? hidden : all.filter(({ kind }) => kind === 'scalar');
  const end = fc.constantFrom(...ends).map(({ name }) => [name]);
  const next = (way: Attribute) => below(way, owner, registry);
  const ways = weighed(
    all.filter((way) => next(way)),
    (way) => {
      const target = next(way) ?? owner;
      if (FORBIDDEN.has(target)) return 12;
      return hiddenIn(target).length > 0 ? 4 : 1;
    },
  );
  if (steps <= 0 || ways.length === 0) return end;
  const on = fc
    .constantFrom(...ways)
    .chain((way) => pathOn(next(way) ?? owner, steps - 1).map((rest) => [way.name, ...rest]));
  return fc.oneof({ weight: hidden.length > 0 ? 2 : 0, arbitrary: end }, { weight: 1, arbitrary: on });
}

const brackets = (path: readonly string[]): string => path.map((name) => `[${name}]`).join('');

const populated = (path: readonly string[]): string => path.map((name) => `[${name}]`).join('[populate]');

type Shape = (path: readonly string[], operator: string, guess: string) => string;

const FILTERS: readonly Shape[] = [
  (path, operator, guess) => `filters${brackets(path)}[${operator}]=${guess}`,
  (path, operator, guess) => `filters[$not]${brackets(path)}[${operator}]=${guess}`,
  (path, operator, guess) => `filters[$or][0]${brackets(path)}[${operator}]=${guess}&filters[$or][1][id][$lt]=0`,
  (path, operator, guess) => `filters${brackets(path.slice(0, -1))}[$or][0][${path.at(-1)}][${operator}]=${guess}`,
];

/** Each other way in which a query can be about an attribute. */
const SHAPES: readonly Shape[] = [
  (path) => `sort=${path.join('.')}:desc`,
  (path) => `sort${brackets(path)}=asc`,
  (path) => `fields=${path.at(-1)}&populate=${path.slice(0, -1).join('.')}`,
  (path, _, guess) => `_q=${guess}&populate=${path.slice(0, -1).join('.')}`,
  (path) => `populate=${path.join('.')}`,
  (path) => `populate${populated(path.slice(0, -1))}[populate]=*`,
  (path) => `populate${populated(path.slice(0, -1))}[count]=true`,
  (path) => `populate${populated(path.slice(0, -1))}[fields]=${path.at(-1)}`,
  (path) => `populate${populated(path.slice(0, -1))}[sort]=${path.at(-1)}:desc`,
  (path, operator, guess) => `populate${populated(path.slice(0, -1))}[filters][${path.at(-1)}][${operator}]=${guess}`,
];

/** What tells a secret from what takes its place in interference.test.ts. */
const TELLING = [
  ['$gt', 'm'],
  ['$lt', 'm'],
  ['$lt', 'b'],
  ['$gt', '1000'],
  ['$startsWith', 'cana'],
  ['$notContains', 'cana'],
  ['$contains', 'forb'],
  ['$startsWithi', 'FORB'],
  ['$startsWith', 'unpub'],
] as const;

const COMPARISON: fc.Arbitrary<readonly [operator: string, guess: string]> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TELLING) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...Object.keys(OPERATORS)), fc.constantFrom(...GUESSES, '1')) },
);

/** The query string of a probe of a type. */
export const probeOf = (type: ContentType): fc.Arbitrary<string> =>
  fc
    .tuple(
      pathOn(type, MOST_STEPS),
      COMPARISON,
      fc.oneof(fc.constantFrom(...FILTERS), fc.constantFrom(...SHAPES)),
      fc.constantFrom('', '', '&status=draft', '&status='),
    )
    .map(([path, [operator, guess], shape, status]) => `${shape(path, operator, guess)}${status}`);
