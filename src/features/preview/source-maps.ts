/**
 * @module Source maps: behind each text of a document an invisible one that names its field, as Strapi's preview reads it
 * (`content-source-maps.js` and `traverse-entity.js` of Strapi 5.54).
 */
import { responseTooLarge } from '../../common/errors.ts';
import { isObject, type JsonObject } from '../../common/json.ts';
import { sameFor } from '../../common/same-for.ts';
import type { Document } from '../../content/document/document.ts';
import { restAfter } from '../../content/document/weight.ts';
import { isReference } from '../../content/plan/model/node-kinds.ts';
import type { Populate, ReadPlan, Selection } from '../../content/plan/model/read-plan.ts';
import { isMedia, isRelation } from '../../schema/attribute-kinds.ts';
import type { ScalarType } from '../../schema/fields.ts';
import type { ContentType } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { changeBlocks } from './block-texts.ts';
import { BYTES_OF_DIGIT, invisible } from './invisible.ts';

type Excludable = NonNullable<Settings['preview']>['sourceMaps']['exclude'][number];
type Mapped = 'text' | 'nodes';

/** What is mapped of the values of a type. `datetime` is also that of `createdAt` and `updatedAt`. */
const MAPPED: { readonly [K in ScalarType]: K extends Excludable ? Mapped : undefined } = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'enumeration', 'biginteger'], 'text'),
  ...sameFor(['date', 'time', 'datetime', 'json'], 'text'),
  blocks: 'nodes',
  ...sameFor(['uid', 'password', 'boolean', 'integer', 'decimal', 'float'], undefined),
};

/** Attributes with these names are not mapped, whatever their type. */
const EXCLUDED: ReadonlySet<string> = new Set(
  'id documentId locale localizations created_by updated_by created_at updated_at publishedAt'.split(' '),
);

/** The content type or component that has a field. */
interface Owner extends Pick<ContentType, 'uid'>, Partial<Pick<ContentType, 'kind' | 'attributes'>> {}

/** `sections.0.title` in parts. */
interface Place {
  /** Ends in a dot, or is empty. */
  readonly path: string;
  /** The path before texts of its own: several files of a field share that of the field. */
  readonly texts?: string;
}

/** Appends the payload of a field. @param fieldPath that of blocks, once more */
type Append = (text: string, type: string, path: string, owner: Owner, fieldPath?: string) => string;

const componentOwner = (uid: string): Owner => ({ uid });

/** Returns the type of a target, and what is shown of it. */
function targetOf(node: Populate, target: JsonObject): readonly [owner: Owner, selection: Selection] | undefined {
  switch (node.kind) {
    case 'component':
      return [componentOwner(node.attribute.component), node.selection];
    case 'dynamiczone': {
      const uid = String(target.__component);
      const part = node.parts.get(uid);
      return part && [componentOwner(uid), part];
    }
    case 'polymorphic':
      return node.parts.map((part) => targetOf(part, target)).find((found) => found?.[0].uid === target.__type);
    case 'related': {
      const use = node.uses.find(({ type }) => type.uid === target.__type);
      return use && [use.type, { attributes: use.attributes, populate: [] }];
    }
    case 'localizations':
      return [node.type, node.selection];
    case 'reference':
      return [node.target, node.selection];
    case 'link':
      return [node.link.target, node.selection];
  }
}

class SourceMapper {
  readonly #append: Append;
  readonly #excluded: ReadonlySet<string>;
  constructor(append: Append, excluded: ReadonlySet<string>) {
    this.#append = append;
    this.#excluded = excluded;
  }

  /** Returns a copy: a response may show one document several times. */
  map(
    document: JsonObject,
    { attributes, populate }: Selection,
    owner: Owner,
    { path, texts = path }: Place,
  ): Document {
    const mapped = { ...document };
    for (const { name, type } of attributes) {
      const value = document[name];
      const form: Mapped | undefined = MAPPED[type];
      if (!form || this.#excluded.has(type) || EXCLUDED.has(name)) continue;
      const place = path + name;
      if (typeof value === 'string') mapped[name] = this.#append(value, type, texts + name, owner);
      else if (form === 'nodes' && Array.isArray(value))
        mapped[name] = changeBlocks(value, (text) => this.#append(text, type, place, owner, place));
    }
    for (const node of populate) mapped[node.name] = this.#mapTargets(node, document[node.name], owner, path);
    return mapped;
  }

  #mapTargets(node: Populate, value: unknown, owner: Owner, path: string): unknown {
    const attribute = isReference(node) ? node.attribute : owner.attributes?.get(node.name);
    const media = isMedia(attribute);
    if (media && this.#excluded.has('media')) return value;
    // The other side of a polymorphic relation: its targets name no type, so Strapi does not map them.
    if (isRelation(attribute) && attribute.relation.startsWith('morph')) return value;
    const place = `${path}${node.name}.`;
    const mapTarget = (target: unknown, own: Place): unknown => {
      const found = isObject(target) && targetOf(node, target);
      return found ? this.map(target, found[1], found[0], own) : target;
    };
    if (!Array.isArray(value)) return mapTarget(value, { path: place });
    return value.map((each, index) => mapTarget(each, { path: `${place}${index}.`, ...(media && { texts: place }) }));
  }
}

/**
 * Returns a function to call with each document of one response. It returns the document with source maps.
 * @param excluded types of attributes without source maps; `media` for the texts of files
 * @throws ApiError 400 beyond `answerBytes`
 */
export function sourceMapper(
  { type, selection, ceiling: { bytes } }: ReadPlan,
  excluded: ReadonlySet<string>,
): (document: Document) => Document {
  let remains = bytes;
  const spend = (rest: number) => {
    remains = rest;
    if (remains < 0) throw responseTooLarge('answerBytes', bytes);
  };
  return (document) => {
    spend(restAfter(document, remains));
    const { documentId, locale } = document;
    const append: Append = (text, fieldType, path, { uid, kind }, fieldPath) => {
      const source = new URLSearchParams({ documentId: String(documentId), type: fieldType, path, model: uid });
      if (kind) source.set('kind', kind);
      if (locale) source.set('locale', String(locale));
      if (fieldPath) source.set('fieldPath', fieldPath);
      const payload = invisible({ strapiSource: source.toString() });
      spend(remains - BYTES_OF_DIGIT * payload.length);
      return text + payload;
    };
    return new SourceMapper(append, excluded).map(document, selection, type, { path: '' });
  };
}
