/**
 * @module Which renames are proposed where one attribute was removed and one was added.
 */
import { expect, it } from 'vitest';
import { layoutOf } from '../../../cli/migrations/layout.ts';
import { renameAdvice } from '../../../cli/migrations/rename-advice.ts';
import { type Attributes, component, contentType, registryOf } from '../../support/schema-files.ts';

const STRING = { type: 'string' };
const own = { pluginOptions: { i18n: { localized: true } } };
const card = { type: 'component', component: 'kit.card' };
const zone = (...components: readonly string[]) => ({ type: 'dynamiczone', components });
const to = (target: string, relation = 'manyToMany', side = {}) => ({
  ...{ type: 'relation', relation, target: `api::${target}.${target}`, ...side },
});
/** The other side of a one-to-one relation makes it exclusive. */
const sides = { alone: to('tag', 'oneToOne'), held: to('tag', 'oneToOne', { inversedBy: 'holder' }) };

function layoutWith(attributes: Attributes, inCard: Attributes = {}) {
  const isHeld = Object.values(attributes).includes(sides.held);
  const holder = { holder: to('article', 'oneToOne', { mappedBy: Object.keys(attributes)[0] }) };
  return layoutOf(
    registryOf(
      [
        contentType('article', attributes, { localized: true }),
        contentType('tag', isHeld ? holder : {}),
        contentType('note', {}),
      ],
      [component('kit.card', inCard), component('kit.note', {})],
    ),
  );
}

const PROPOSED = 'To keep the content under a new name: npx edgewise generate --rename ';
const adviceOf = (before: Attributes, after: Attributes) => renameAdvice(layoutWith(before), layoutWith(after));

it.each<readonly [what: string, before: Attributes[string], after: Attributes[string], isProposed: boolean]>([
  ['of the same type', STRING, STRING, true],
  ['of another type', STRING, { type: 'text' }, false],
  ['that is localized from now on', STRING, { ...STRING, ...own }, false],
  ['of the same component', card, card, true],
  ['of another component', card, { ...card, component: 'kit.note' }, false],
  ['of a list of the component', card, { ...card, repeatable: true }, false],
  ['of a component in locales', card, { ...card, ...own }, false],
  ['of the same zone', zone('kit.card'), zone('kit.card'), true],
  ['of a zone of other components', zone('kit.card'), zone('kit.note'), false],
  ['of a zone in locales', zone('kit.card'), { ...zone('kit.card'), ...own }, false],
  ['of the same target', to('tag'), to('tag'), true],
  ['of another target', to('tag'), to('note'), false],
  ['that has room for one', to('tag'), to('tag', 'manyToOne'), false],
  ['whose target may have one alone', sides.alone, sides.held, false],
  ['of files in locales', { type: 'media', multiple: true }, { type: 'media', multiple: true, ...own }, false],
])('a rename to an attribute %s is proposed or not: %3$s', (_, before, after, isProposed) => {
  const advice = adviceOf({ before }, { after });
  expect(advice.startsWith(PROPOSED)).toBe(isProposed);
  if (isProposed) expect(advice).toBe(`${PROPOSED}article.before=after`);
});

it('none is proposed where several were removed or added, and one for each form otherwise', () => {
  const count = { type: 'integer' };
  expect(adviceOf({ a: STRING, b: STRING }, { c: STRING })).not.toContain(PROPOSED);
  expect(adviceOf({ a: STRING }, { b: STRING, c: STRING })).not.toContain(PROPOSED);
  expect(adviceOf({ a: STRING }, { a: STRING, b: STRING })).not.toContain(PROPOSED);
  expect(adviceOf({ a: STRING, n: count }, { b: STRING, m: count })).toBe(
    `${PROPOSED}article.a=b --rename article.n=m`,
  );
});

it('attributes of components are proposed with the uid, but not those of what is new', () => {
  const advice = renameAdvice(layoutWith({}, { a: STRING }), layoutWith({}, { b: STRING }));
  expect(advice).toBe(`${PROPOSED}kit.card.a=b`);
  const bare = layoutOf(registryOf([]));
  expect(renameAdvice(bare, layoutWith({ a: STRING }, { b: STRING }))).not.toContain(PROPOSED);
});
