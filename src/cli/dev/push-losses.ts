/**
 * @module What a save would lose: whether it may, and what of components is hidden from it.
 */
import type { Layout } from '../migrations/layout.ts';
import type { Loss } from '../migrations/migration-work.ts';
import { nameOfType } from '../migrations/type-changes.ts';
import { UserError } from '../terminal.ts';
import type { KeptGroup } from './kept-table.ts';
import { type Changes, hasNewForms } from './push-changes.ts';
import { allLinks } from './versions.ts';

function refuse(losses: readonly Loss[]): never {
  const lines = losses.map(({ subject, reason }) => `  ${subject}: ${reason}`);
  throw new UserError(
    [
      'The files ask for changes that lose stored content:',
      ...lines,
      'Change them back, or go ahead with: npm run generate -- --allow-drop',
    ].join('\n'),
  );
}

/** Links to the documents of a table that goes are kept as they are. */
const linksToGone = (layout: Layout, { goneTypes }: Changes): readonly string[] =>
  allLinks(layout)
    .filter(({ place }) => goneTypes.includes(place.target))
    .map(({ uid, name }) => `${nameOfType(uid)}.${name}`);

/** A save: what the tables hold, what the files ask for, and what that changes. */
export interface Save {
  readonly before: Layout;
  readonly after: Layout;
  readonly changes: Changes;
  /** Subjects that a migration may lose. */
  readonly dropped: ReadonlySet<string>;
}

/**
 * @param lost of which something is stored.
 * @param seen forms that the database has had: a save that is taken back keeps what it does not have.
 * @throws UserError for stored content that would be lost by a form that the database has never had.
 */
export function checkLosses(lost: readonly Loss[], { before, after, changes, dropped }: Save, seen: readonly string[]) {
  const kept = new Set([
    ...changes.goneTypes.map(nameOfType),
    ...[...changes.gone, ...changes.goneInComponents].map(({ subject }) => subject),
    ...linksToGone(before, changes),
  ]);
  const refused = lost.filter(({ subject }) => !kept.has(subject) && !dropped.has(subject));
  if (refused.length > 0 && hasNewForms(before, after, seen)) refuse(refused);
}

type Components = Record<string, Record<string, Layout['components'][string][string]>>;

/** The attributes that leave the files while instances hold values of them, and the layout without them. */
export function hide(layout: Layout, { goneInComponents }: Changes, isKept: (subject: string) => boolean) {
  const components = structuredClone(layout.components) as Components;
  const hidden: Components = {};
  for (const { uid, name, subject } of goneInComponents) {
    const place = layout.components[uid]?.[name];
    if (!place || !isKept(subject)) continue;
    hidden[uid] = { ...hidden[uid], [name]: place };
    delete components[uid]?.[name];
    if (Object.keys(components[uid] ?? {}).length === 0) delete components[uid];
  }
  return { hidden, layout: { ...layout, components } };
}

/** A layout with attributes of components that are hidden from it. */
export function withHidden(layout: Layout, hidden: Layout['components']): Layout {
  const components = { ...layout.components };
  for (const [uid, places] of Object.entries(hidden)) components[uid] = { ...places, ...components[uid] };
  return { ...layout, components };
}

/** Kept values bring attributes back that their components have not any more; those are hidden then, too. */
export function hideKept(groups: readonly KeptGroup[], after: Layout, hidden: Layout['components']) {
  let all = withHidden({ ...after, components: hidden }, after.components).components;
  for (const { form } of groups) if (form) all = withHidden({ ...after, components: all }, form.components).components;
  const rest = Object.entries(all).map(([uid, places]) => {
    const own = Object.entries(places).filter(([name]) => !after.components[uid]?.[name]);
    return [uid, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(rest.filter(([, places]) => Object.keys(places).length > 0));
}
