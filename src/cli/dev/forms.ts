/**
 * @module The form in which an attribute stores its values, without where it stores them: a kept value goes back only
 * into a form that can hold it.
 */
import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../../digest.ts';
import { type Conversion, convert } from '../migrations/convert.ts';
import { type BlocksPlace, blocksOf, type Layout, type Place, type Places, uidsOf } from '../migrations/layout.ts';
import { jsonText } from '../migrations/migration-files.ts';

/** What differs between two forms that store differently. */
export type PlainForm =
  | { readonly kind: 'scalar'; readonly type: Extract<Place, { kind: 'scalar' }>['type']; readonly localized: boolean }
  | {
      readonly kind: 'component';
      readonly uids: readonly string[];
      readonly repeatable: boolean;
      readonly localized: boolean;
    }
  | { readonly kind: 'dynamiczone'; readonly uids: readonly string[]; readonly localized: boolean }
  | {
      readonly kind: 'links';
      /** Table. */
      readonly target: string;
      readonly multiple: boolean;
      readonly exclusive: boolean;
      readonly localized: boolean;
    };

type Parts = Readonly<Record<string, Readonly<Record<string, PlainForm>>>>;

export interface Form {
  readonly plain: PlainForm;
  /** The components inside, at every depth: uid → attribute → form. */
  readonly parts: Parts;
  /** The same as the layout of their time had them. */
  readonly components: Layout['components'];
}

/** Links name documents, which are those of a table, whatever uid its type has. */
export function plainForm(place: Place, { types }: Layout): PlainForm {
  const localized = place.localized === true;
  switch (place.kind) {
    case 'scalar':
      return { kind: 'scalar', type: place.type, localized };
    case 'component':
      return { kind: 'component', uids: [place.component], repeatable: place.repeatable, localized };
    case 'dynamiczone':
      return { kind: 'dynamiczone', uids: place.components, localized };
    default: {
      const { target, multiple, exclusive = false } = place;
      return { kind: 'links', target: types[target]?.table ?? target, multiple, exclusive, localized };
    }
  }
}

const plainForms = (places: Places, layout: Layout): Readonly<Record<string, PlainForm>> =>
  Object.fromEntries(Object.entries(places).map(([name, place]) => [name, plainForm(place, layout)]));

function collect(place: BlocksPlace, { components }: Layout, found: Record<string, Places>): void {
  for (const uid of uidsOf(place)) {
    if (found[uid]) continue;
    found[uid] = components[uid] ?? {};
    for (const [, inner] of blocksOf(found[uid])) collect(inner, { types: {}, components }, found);
  }
}

export function formOf(place: Place, layout: Layout): Form {
  const components: Record<string, Places> = {};
  if (place.kind === 'component' || place.kind === 'dynamiczone') collect(place, layout, components);
  const parts = Object.entries(components).map(([uid, places]) => [uid, plainForms(places, layout)] as const);
  return { plain: plainForm(place, layout), parts: Object.fromEntries(parts), components };
}

/** A short name of a form; equal forms have equal names. */
export const formName = (form: Form): string => sha256(jsonText(form)).slice(0, 16);

/** Does an attribute that both have store alike? What only one of them has was added or removed. */
const hasSameParts = (from: Parts, to: Parts): boolean =>
  Object.entries(from).every(([uid, forms]) =>
    Object.entries(forms).every(([name, form]) => {
      const other = to[uid]?.[name];
      return other === undefined || isDeepStrictEqual({ ...form, localized: false }, { ...other, localized: false });
    }),
  );

/** What becomes of a value in another form; undefined: it cannot be put there. @param x SQL for the value. */
export function conversionTo(from: Form, to: Form, x: string): Conversion | undefined {
  const [a, b] = [from.plain, to.plain];
  if (a.kind === 'scalar' && b.kind === 'scalar')
    return a.type === b.type ? { expression: x } : convert(a.type, b.type, x);
  if (!hasSameParts(from.parts, to.parts)) return undefined;
  const holds =
    (a.kind === 'component' && b.kind === 'component' && a.repeatable === b.repeatable) ||
    (a.kind === 'dynamiczone' && b.kind === 'dynamiczone');
  if (holds) return a.uids.every((uid) => b.uids.includes(uid)) ? { expression: x } : undefined;
  if (a.kind !== 'links' || b.kind !== 'links' || a.target !== b.target) return undefined;
  return (a.multiple && !b.multiple) || (!a.exclusive && b.exclusive) ? undefined : { expression: x };
}

/** Do values stay as they are when the form changes? */
export const staysAsIs = (from: Form, to: Form): boolean => {
  const conversion = conversionTo(from, to, 'x');
  return conversion?.expression === 'x' && !conversion.loss && (!from.plain.localized || to.plain.localized);
};

/** May values go from one form to the other and back as they are? */
export const isSameForm = (a: Form, b: Form): boolean => staysAsIs(a, b) && staysAsIs(b, a);

/** Attributes inside that a layout has in another form: component → names. */
export const clashesOf = ({ parts }: Form, layout: Layout): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(parts).flatMap(([uid, forms]) => {
      const names = Object.keys(forms).filter((name) => {
        const place = layout.components[uid]?.[name];
        return place && !isDeepStrictEqual(forms[name], plainForm(place, layout));
      });
      return names.length > 0 ? [[uid, names] as const] : [];
    }),
  );
