/**
 * @module Fields of the form, by the paths of source maps: `sections.0.title`.
 */
import { sameFor } from '../../src/common/same-for.ts';
import type { AttributeType } from '../../src/schema/model.ts';
import { attempt } from '../api/query-string.ts';
import { attributesOf, componentOf, entriesOf, isList } from '../document/fields/entries.ts';
import { fieldName, joinPath } from '../document/fields/owner.ts';
import { type Attributes, isNeverShown } from '../model/attribute.ts';
import type { Model, Values } from '../model/model.ts';
import type { PreviewedDocument } from './preview-script.ts';

export interface PreviewedField {
  readonly path: string;
  readonly type: string;
  readonly value: unknown;
}

type Shown = (value: unknown, isMany: boolean) => unknown;

const same: Shown = (value) => value;

/** The value as the API shows it; undefined for what the page does not show as one field. */
const SHOWN: Readonly<Record<AttributeType, Shown | undefined>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'password', 'enumeration', 'blocks', 'boolean'], same),
  ...sameFor(['integer', 'biginteger', 'decimal', 'float', 'date', 'time', 'datetime'], same),
  json: (value) => (typeof value === 'string' ? attempt(() => JSON.parse(value), value) : value),
  media: (value, isMany) => (isMany ? value : (entriesOf(value)[0] ?? null)),
  ...sameFor(['relation', 'component', 'dynamiczone'], undefined),
};

/** Returns the fields that a page may show: no relations, and nothing that no response shows. */
export function fieldsOf(model: Model, attributes: Attributes, values: Values, prefix = ''): readonly PreviewedField[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const { type, multiple = false } = attribute;
    const value = values[fieldName(name)];
    const path = joinPath(prefix, name);
    const shown = SHOWN[type];
    if (isNeverShown(attribute) || type === 'relation' || value === undefined) return [];
    if (shown) return [{ path, type, value: shown(value, multiple) }];
    return entriesOf(value).flatMap((entry, index) =>
      fieldsOf(
        model,
        attributesOf(model, componentOf(attribute, entry)),
        entry,
        isList(attribute) ? joinPath(path, index) : path,
      ),
    );
  });
}

/** Characters of a source map at most. */
const MAX_SOURCE = 2000;

/** Returns the field that the source map of a text of the document names; undefined for anything else. */
export function fieldOfSource(
  source: unknown,
  { documentId, locale }: PreviewedDocument,
  fields: readonly PreviewedField[],
): PreviewedField | undefined {
  if (typeof source !== 'string' || source.length > MAX_SOURCE) return undefined;
  const named = new URLSearchParams(source);
  if (named.get('documentId') !== documentId || (named.get('locale') ?? locale) !== locale) return undefined;
  const path = named.get('fieldPath') ?? named.get('path') ?? '';
  // Of a file, the source map names one of its texts.
  return fields.find((field) => field.path === path || (field.type === 'media' && path.startsWith(`${field.path}.`)));
}

/** The path of a field in the form, and back. */
export const formPath = (path: string): string => path.split('.').map(fieldName).join('.');
export const fieldPath = (path: string): string => path.replaceAll(/(^|\.)\$/g, '$1');

/** A link to what is chosen stands before the button that removes it. */
const CONTROLS = 'input, textarea, select, [contenteditable=true], a[href], button';
/** Milliseconds until an input is looked for again: entries unfold, and editors are loaded. */
const PAUSE = 50;
const MAX_TRIES = 60;

/** Unfolds the entries around a field, and focuses its input. @param path of the form */
export function focusField(form: Element, path: string, tries = MAX_TRIES): void {
  const places = [...form.querySelectorAll<HTMLElement>('[data-path]')];
  const isAround = (place: HTMLElement) => path.startsWith(`${place.dataset.path}.`);
  const folded = places.find((place) => place instanceof HTMLDetailsElement && !place.open && isAround(place));
  const place = places.find(({ dataset }) => dataset.path === path);
  const control = place?.querySelector<HTMLElement>(CONTROLS);
  if (folded) folded.setAttribute('open', '');
  else if (control) {
    place?.scrollIntoView({ block: 'nearest' });
    control.focus();
    return;
  }
  if (tries > 0) setTimeout(() => focusField(form, path, tries - 1), PAUSE);
}
