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

it.each<readonly [what: string, word: 'is' | 'is not', before: Attributes[string], after: Attributes[string]]>([
  ['of the same type', 'is', STRING, STRING],
  ['of another type', 'is not', STRING, { type: 'text' }],
  ['that is localized from now on', 'is not', STRING, { ...STRING, ...own }],
  ['of the same component', 'is', card, card],
  ['of another component', 'is not', card, { ...card, component: 'kit.note' }],
  ['of a list of the component', 'is not', card, { ...card, repeatable: true }],
  ['of a component in locales', 'is not', card, { ...card, ...own }],
  ['of the same zone', 'is', zone('kit.card'), zone('kit.card')],
  ['of a zone of other components', 'is not', zone('kit.card'), zone('kit.note')],
  ['of a zone in locales', 'is not', zone('kit.card'), { ...zone('kit.card'), ...own }],
  ['of the same target', 'is', to('tag'), to('tag')],
  ['of another target', 'is not', to('tag'), to('note')],
  ['that has room for one', 'is not', to('tag'), to('tag', 'manyToOne')],
  ['whose target may have one alone', 'is not', sides.alone, sides.held],
  ['of files in locales', 'is not', { type: 'media', multiple: true }, { type: 'media', multiple: true, ...own }],
])('a rename to an attribute %s %s proposed', (_, word, before, after) => {
  const advice = adviceOf({ before }, { after });
  expect(advice.startsWith(PROPOSED)).toBe(word === 'is');
  if (word === 'is') expect(advice).toBe(`${PROPOSED}article.before=after`);
});

it('none is proposed where several were removed or added, and one for each form otherwise', () => {
  const count = { type: 'integer' };
  expect(adviceOf({ a: STRING, b: STRING }, { c: STRING })).toBe(
    'If something was renamed, declare it instead: npx edgewise generate --rename type.oldName=newName, --rename-type oldType=newType, or --rename-component old.uid=new.uid',
  );
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
