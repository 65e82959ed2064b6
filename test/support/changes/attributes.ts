/**
 * @module Attributes that are renamed, removed, of another type, kind or target.
 */
import { type Change, columnChange, linkChange, linksTo, NOTHING, RENAME } from './change.ts';
import {
  CARDS,
  CONVERSIONS,
  LINKED,
  LIST,
  LISTS,
  SCALARS,
  SINGLE,
  STORED,
  STRING,
  TARGETS,
  TEXTS,
  TO_ONE,
  toAuthor,
  ZONE,
  ZONES,
} from './values.ts';

const columnChanges: readonly Change[] = Object.entries(STORED).flatMap(([what, [from, stored]]) => [
  columnChange({ title: `rename of a ${what}`, from, stored, to: ['newWorth', from], kept: stored, ...RENAME }),
  columnChange({ title: `removal of a ${what}`, from, stored, reasons: [`removed (${from.type})`] }),
]);

const linkChanges: readonly Change[] = Object.entries(LINKED).flatMap(([what, [from, targets]]) => {
  const renamed = linkChange(`rename of a ${what}`, from, targets, { to: ['newWorth', from], loses: {}, ...RENAME });
  return [
    { ...renamed, survives: [...renamed.survives, linksTo('newWorth', targets)] },
    linkChange(`removal of a ${what}`, from, targets, { reasons: ['removed (links)'] }),
  ];
});

const targetChanges: readonly Change[] = ['manyToOne', 'oneToOne', 'oneToMany', 'manyToMany'].map((relation) => {
  const to = ['value', toAuthor(relation, 'article')] as const;
  const change = linkChange(`another target of a ${relation} relation`, toAuthor(relation), ['x', 'x', 'y'], { to });
  return { ...change, survives: [...change.survives, linksTo('value', [])] };
});

const typeChanges: readonly Change[] = CONVERSIONS.flatMap(([from, to, stored, kept]) => {
  const [before, after] = [SCALARS[from]?.[0] ?? { type: from }, SCALARS[to]?.[0] ?? { type: to }];
  const title = `${from} that becomes ${to}`;
  return [columnChange({ title, from: before, stored, to: ['value', after], kept })];
});

const renamedTypeChanges: readonly Change[] = CONVERSIONS.slice(0, 6).map(([from, to, stored, kept]) => {
  const [before, after] = [SCALARS[from]?.[0] ?? { type: from }, SCALARS[to]?.[0] ?? { type: to }];
  const title = `rename of a ${from} that becomes ${to}`;
  return columnChange({ title, from: before, stored, to: ['newWorth', after], kept, ...RENAME });
});

const kindChanges: readonly Change[] = [
  columnChange({
    title: 'string that becomes a component',
    from: STRING,
    stored: TEXTS,
    to: ['value', SINGLE],
    kept: NOTHING,
  }),
  columnChange({
    title: 'component that becomes a string',
    from: SINGLE,
    stored: CARDS,
    to: ['value', STRING],
    kept: NOTHING,
  }),
  columnChange({ title: 'string that becomes a relation', from: STRING, stored: TEXTS, to: ['value', TO_ONE] }),
  linkChange('relation that becomes a string', TO_ONE, TARGETS, { to: ['value', STRING] }),
  columnChange({
    title: 'component that becomes a list',
    from: SINGLE,
    stored: CARDS,
    to: ['value', LIST],
    kept: [`[${CARDS[0]}]`, `[${CARDS[1]}]`, null],
  }),
  columnChange({
    title: 'list of components that becomes a single one',
    from: LIST,
    stored: LISTS,
    to: ['value', SINGLE],
    kept: NOTHING,
  }),
  columnChange({
    title: 'component that becomes another one',
    from: SINGLE,
    stored: CARDS,
    to: ['value', { type: 'component', component: 'shared.note' }],
    kept: NOTHING,
  }),
  columnChange({
    title: 'dynamic zone that allows less',
    from: ZONE,
    stored: ZONES,
    to: ['value', { type: 'dynamiczone', components: ['shared.note'] }],
    kept: ['[]', '[]', null],
    loses: { 'article.value': 1 },
    reasons: ['no longer allows shared.card'],
    when: ['after'],
  }),
];

export const attributeChanges: readonly Change[] = [
  ...columnChanges,
  ...linkChanges,
  ...targetChanges,
  ...typeChanges,
  ...renamedTypeChanges,
  ...kindChanges,
];
