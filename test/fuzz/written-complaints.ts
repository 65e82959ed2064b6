/**
 * @module What readers find beside what they have to find.
 */
import { hasLocales, type TypeName } from './written-model.ts';
import { type Expected, endsOf, far, linksOf, mapped, NAMES, near } from './written-oracle.ts';
import { documentOf, type Ref, type State, type Version } from './written-state.ts';

const plain = (value: unknown): string =>
  JSON.stringify(value, (key, item: unknown) => (key === 'id' ? undefined : sorted(item)));

const sorted = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && !Array.isArray(item)
    ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
    : item;

const isOneDocument = (refs: readonly Ref[]): boolean => new Set(refs.map(documentOf)).size === 1;

function linkComplaints(key: string, version: Version, { links, orders }: Expected): readonly string[] {
  const [type, documentId, locale, status] = key.split('/');
  const ref = `${documentId}/${locale}`;
  return endsOf(type as TypeName).flatMap((end) => {
    // What all locales share is held by its own test.
    if (end.target === 'file' && !end.localized && hasLocales(type as TypeName)) return [];
    const found = version.links[end.name] ?? [];
    const wanted = links
      .filter((link) => link.table === end.table && link.version === status && near(link, end) === ref)
      .map((link) => far(link, end));
    const at = `${key} ${end.name}: found ${JSON.stringify(found)}, expected`;
    const isOneOf = !end.multiple && found.length === 1 && wanted.includes(found[0] ?? '') && isOneDocument(wanted);
    if (!isOneOf && [...found].sort().join() !== [...wanted].sort().join()) return [`${at} ${JSON.stringify(wanted)}`];
    const order = orders.get(`${key}/${end.name}`)?.filter((other) => found.includes(other));
    return order && order.join() !== found.filter((other) => order.includes(other)).join()
      ? [`${at} the order ${JSON.stringify(order)}`]
      : [];
  });
}

/** Where readers find something else than what is expected. */
export function complaints(after: State, expected: Expected): readonly string[] {
  const missing = [...expected.values.keys()].filter((key) => !after.has(key)).map((key) => `${key} is not there`);
  const found = [...after].flatMap(([key, version]) => {
    const values = expected.values.get(key);
    if (!values) return [`${key} should not be there`];
    const wrong = NAMES.filter((name) => !values[name]?.map(plain).includes(plain(version.values[name])));
    return [
      ...wrong.map(
        (name) => `${key} ${name}: found ${plain(version.values[name])}, expected ${values[name]?.map(plain)}`,
      ),
      ...linkComplaints(key, version, expected),
    ];
  });
  return [...missing, ...found];
}

/** The same of a write that was refused: everything is as before. */
export const sameState = (before: State, after: State): readonly string[] =>
  complaints(after, {
    values: new Map(
      [...before].map(([key, { values }]) => [
        key,
        mapped(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]])), (value) => value),
      ]),
    ),
    links: linksOf(before),
    orders: new Map(
      [...before].flatMap(([key, { links }]) => Object.entries(links).map(([name, list]) => [`${key}/${name}`, list])),
    ),
  });
