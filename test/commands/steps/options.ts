/**
 * @module Locales and drafts turned on and off, and single types that become collection types and single types again.
 */
import { type TypeModel, uidOf } from '../../generators/models.ts';
import { type Seen, without } from '../seen.ts';
import { idsIn, isOf, MIGRATE, mapSeen, type NewStep, ofChain, withoutTargets } from './step.ts';

/** `en` becomes none, and what is of `fr` alone goes. A schedule of another locale acts on nothing. */
function withoutLocales(before: Seen, type: TypeModel): Seen {
  const uid = uidOf(type);
  const others = mapSeen(before, (row, subject) => {
    if (subject !== 'schedules' || row.type !== uid) return row;
    return row.locale === 'en' ? { ...row, locale: '' } : undefined;
  });
  // Documents in one locale take the values of the default one: tests of each change hold which.
  return without(others, `${uid} draft`, `${uid} published`, 'messages', 'versions');
}

export const turnLocalesOff: NewStep = (model, dice) => {
  const types = model.types.filter(({ localized }) => localized);
  if (types.length === 0) return undefined;
  const type = ofChain(types, dice);
  type.localized = false;
  return {
    title: `turn the locales of ${type.name} off`,
    lines: ['generate --allow-drop', MIGRATE],
    expected: (before) => withoutLocales(before, type),
  };
};

/** All that is there is of the default locale. */
export const turnLocalesOn: NewStep = (model, dice) => {
  const types = model.types.filter(({ localized }) => !localized);
  if (types.length === 0) return undefined;
  const type = ofChain(types, dice);
  type.localized = true;
  return {
    title: `turn the locales of ${type.name} on`,
    // Links of locales that no document has are named as a loss.
    lines: ['generate --allow-drop', MIGRATE],
    expected: (before) =>
      mapSeen(before, (row, subject) => {
        const isRow = 'locale' in row && row.type === uidOf(type) && row.locale === '';
        return isRow || isOf(subject, type) ? { ...row, locale: 'en' } : row;
      }),
  };
};

/** Drafts go, with their schedules and versions; what is published stays. */
export const turnDraftsOff: NewStep = (model, dice) => {
  const types = model.types.filter(({ drafts }) => drafts);
  if (types.length === 0) return undefined;
  const type = ofChain(types, dice);
  type.drafts = false;
  const uid = uidOf(type);
  const owners = [...model.types, ...model.parts].flatMap(({ attributes }) => [...attributes]);
  return {
    title: `turn the drafts of ${type.name} off`,
    // Its published versions have other links than its drafts had, seen from the other side too.
    ignored: owners.flatMap(([name, { target }]) => (target === uid ? [name] : [])),
    lines: ['generate --allow-drop', MIGRATE],
    expected(before) {
      const published = idsIn(before[`${uid} published`]);
      const gone = new Set(idsIn(before[`${uid} draft`]).filter((id) => !published.includes(id)));
      const others = withoutTargets(before, type, gone);
      const schedules = mapSeen(others, (row, subject) =>
        subject === 'schedules' && row.type === uid ? undefined : row,
      );
      // Which version of a document stays is held by tests of the change.
      return without(schedules, `${uid} draft`, `${uid} published`, 'versions', 'messages');
    },
  };
};

/** Each document is published, and has a draft of the same. */
export const turnDraftsOn: NewStep = (model, dice) => {
  const types = model.types.filter(({ drafts }) => !drafts);
  if (types.length === 0) return undefined;
  const type = ofChain(types, dice);
  type.drafts = true;
  const uid = uidOf(type);
  return {
    title: `turn the drafts of ${type.name} on`,
    lines: ['generate', MIGRATE],
    async finish(project, before) {
      const drafts = await project.look(model);
      const [now, then] = [idsIn(drafts[`${uid} draft`]), idsIn(before[`${uid} published`])];
      return then.filter((id) => !now.includes(id)).map((id) => `${id} has no draft`);
    },
    // The links of drafts lead to drafts.
    expected: (before) => without(before, 'versions'),
  };
};

/** The same document, at another path. */
export const toggleSingle: NewStep = (model) => {
  const type = model.types.find(({ isLone }) => isLone);
  if (!type) return undefined;
  type.single = !type.single;
  return {
    title: `make ${type.name} a ${type.single ? 'single' : 'collection'} type`,
    lines: ['generate --allow-drop', MIGRATE],
    expected(before) {
      const [id] = ['draft', 'published'].flatMap((status) => idsIn(before[`${uidOf(type)} ${status}`]));
      // A schedule of a single type names no document.
      return mapSeen(before, (row, subject) =>
        subject === 'schedules' && row.type === uidOf(type) ? { ...row, document_id: type.single ? '' : id } : row,
      );
    },
  };
};
