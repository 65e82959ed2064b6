/**
 * @module Proposes renames where one attribute was removed and one of the same form was added.
 */
import { isComponentPlace, isScalarPlace, type Layout, nameOfType, type Place, type Places } from './layout.ts';

const OPTIONS = '--rename type.oldName=newName, --rename-type oldType=newType, or --rename-component old.uid=new.uid';
const COMMAND = 'npx edgewise generate';

/** Names the kind of attribute without its place. */
function formOf(place: Place): string {
  const { localized } = place;
  if (isScalarPlace(place)) return JSON.stringify([place.type, localized]);
  if (isComponentPlace(place)) return JSON.stringify([place.component, place.repeatable, localized]);
  if (place.kind === 'dynamiczone') return JSON.stringify([place.components, localized]);
  return JSON.stringify([place.target, place.multiple, place.exclusive, localized]);
}

const namesByForm = (places: Places, others: Places): Map<string, readonly string[]> =>
  Map.groupBy(
    Object.keys(places).filter((name) => !Object.hasOwn(others, name)),
    (name) => formOf(places[name] as Place),
  );

/** Returns `old=new` for each form of which one attribute was removed and one was added. */
function renamedIn(before: Places, after: Places): readonly string[] {
  const added = namesByForm(after, before);
  return [...namesByForm(before, after)].flatMap(([form, [from, ...removed]]) => {
    const [to, ...more] = added.get(form) ?? [];
    return to === undefined || removed.length + more.length > 0 ? [] : [`${from}=${to}`];
  });
}

/** Returns the options that declare what seems to be renamed between two layouts. */
function probableRenames(before: Layout, after: Layout): readonly string[] {
  const types = Object.entries(after.types).flatMap(([uid, { attributes }]) =>
    renamedIn(before.types[uid]?.attributes ?? {}, attributes).map((names) => `${nameOfType(uid)}.${names}`),
  );
  const components = Object.entries(after.components).flatMap(([uid, places]) =>
    renamedIn(before.components[uid] ?? {}, places).map((names) => `${uid}.${names}`),
  );
  return [...types, ...components].map((names) => `--rename ${names}`);
}

/** Says how to declare renames: the command line, if it is probable which. */
export function renameAdvice(before: Layout, after: Layout): string {
  const probable = probableRenames(before, after);
  return probable.length > 0
    ? `To keep the content under a new name: ${COMMAND} ${probable.join(' ')}`
    : `If something was renamed, declare it instead: ${COMMAND} ${OPTIONS}`;
}
