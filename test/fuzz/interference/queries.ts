/**
 * @module Query strings of reads by chance, for each type of the model.
 */
import fc from 'fast-check';
import type { ContentType } from '../../../src/schema/model.ts';
import { either, type Grammar } from '../../generators/subject.ts';
import { uidOf } from './model.ts';
import type { CallerName } from './names.ts';
import { type LinkPath, linkPaths, type ScalarPath, scalarPaths, scopeOf, type Walk } from './paths.ts';
import { operandOf } from './values.ts';

const STEPS = 3;
const OPERATORS = ['$eq', '$ne', '$lt', '$gte', '$in', '$notIn', '$contains', '$startsWith', '$null', '$notNull'];

const bracketed = (root: string, path: readonly string[]): string => root + path.map((name) => `[${name}]`).join('');

const scalarPath = (levels: readonly (readonly ScalarPath[])[]): fc.Arbitrary<ScalarPath> =>
  fc.oneof(...levels.filter((level) => level.length > 0).map((level) => fc.constantFrom(...level)));

function filterOf(levels: readonly (readonly ScalarPath[])[], root: string): fc.Arbitrary<string> {
  return scalarPath(levels).chain(({ path, attribute }) =>
    fc
      .tuple(fc.constantFrom('', '', '', '[$not]'), fc.constantFrom(...OPERATORS), operandOf(attribute))
      .map(([not, operator, operand]) => {
        const value = operator === '$null' || operator === '$notNull' ? 'true' : operand;
        const text = value.startsWith('{') ? value : encodeURIComponent(value);
        return `${root}${not}${bracketed('', path)}[${operator}]=${text}`;
      }),
  );
}

const sortOf = (levels: readonly (readonly ScalarPath[])[], key: string): fc.Arbitrary<string> =>
  fc
    .tuple(scalarPath(levels), fc.constantFrom('asc', 'desc'))
    .map(([{ path }, way]) => `${key}=${path.join('.')}:${way}`);

/** A `populate` along one path, with something about its end. */
function populateOf(paths: readonly LinkPath[], caller: CallerName | undefined): fc.Arbitrary<string> {
  return fc.constantFrom(...paths).chain(({ path, attribute, attributes }) => {
    const at = path.map((name) => `[${name}]`).join('[populate]');
    const root = `populate${at}`;
    const plain = [`${root}=true`, `${root}[populate]=*`];
    if (attribute.kind === 'polymorphic' || attribute.kind === 'dynamiczone') {
      const uids =
        attribute.kind === 'polymorphic'
          ? ['story', 'remark', 'vault', 'chapter', 'team'].map(uidOf)
          : attribute.components;
      return fc.constantFrom(...plain, ...uids.map((uid) => `${root}[on][${uid}][populate]=*`), `${root}[count]=true`);
    }
    if (attributes.size === 0) return fc.constantFrom(...plain);
    const levels = scalarPaths(attributes, { caller, steps: 1 });
    return fc.oneof(
      fc.constantFrom(...plain, `${root}[count]=true`),
      filterOf(levels, `${root}[filters]`),
      sortOf(levels, `${root}[sort]`),
      fc.constant(`${root}[status]=draft`),
    );
  });
}

function grammarIn(type: ContentType, walk: Walk): Grammar {
  const scope = scopeOf(type, walk.caller);
  const levels = scalarPaths(scope, walk, type);
  const links = linkPaths(scope, walk, type);
  const all = fc.constant('populate=*');
  return {
    filter: filterOf(levels, 'filters'),
    sort: sortOf(levels.slice(0, 3), 'sort'),
    populate: links.length > 0 ? either(2, populateOf(links, walk.caller), all) : all,
    fields: fc.constantFrom(...(levels[0] ?? [])).map(({ path }) => `fields=${path[0]}`),
  };
}

const GRAMMARS = new Map<string, Grammar>();

/** What a caller may name, and now and then what it may not. */
export function grammarOf(type: ContentType, caller: CallerName): Grammar {
  const key = `${type.uid} ${caller}`;
  const found = GRAMMARS.get(key);
  if (found) return found;
  const [known, any] = [caller, undefined].map((each) => grammarIn(type, { caller: each, steps: STEPS })) as [
    Grammar,
    Grammar,
  ];
  const mixed = (name: keyof Grammar) => either(12, known[name], any[name]);
  const grammar = {
    filter: mixed('filter'),
    sort: mixed('sort'),
    populate: mixed('populate'),
    fields: mixed('fields'),
  };
  GRAMMARS.set(key, grammar);
  return grammar;
}
