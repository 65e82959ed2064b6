/**
 * @module Bodies of writes by chance, for the attributes of any type: values, components, zones, and links in all their
 * forms. Whoever uses them says which documents they name.
 */
import fc from 'fast-check';
import type { Attribute, ContentType, Registry, ScalarAttribute } from '../../src/schema/model.ts';
import { FILE_UID } from '../../src/schema/system-types.ts';
import { manyLinks, oneLink, type Target } from './links.ts';

export type Data = Readonly<Record<string, unknown>>;

/** What bodies are made of. */
export interface Making {
  readonly registry: Registry;
  /** Attributes of bodies that are sent; each with those of its components. */
  isSent(attribute: Attribute): boolean;
  valueOf(attribute: ScalarAttribute): fc.Arbitrary<unknown>;
  /** @param uid of the content type; absent for a target of any type */
  targetOf(uid?: string): fc.Arbitrary<Target>;
  /** The id of an instance that may be there. */
  readonly instance: fc.Arbitrary<unknown>;
  /** Attributes of a body at most, beside required ones. */
  readonly most: number;
}

/** Components in components. */
const LEVELS = 2;

/** Names a document in each of the usual ways. */
export const targetNamed = (id: unknown, key: 'id' | 'documentId' = 'documentId'): fc.Arbitrary<Target> =>
  fc.constantFrom(id, id, { [key]: id }).map((name) => ({ ref: String(id), name, keys: { [key]: id }, anchor: id }));

function linksOf(multiple: boolean, target: fc.Arbitrary<Target>): fc.Arbitrary<unknown> {
  const list = fc.array(
    target.map(({ name }) => name),
    { maxLength: 3 },
  );
  const mixed = fc.record({ connect: list, disconnect: list, set: list }, { requiredKeys: [] });
  const fitting = multiple ? manyLinks(target, target) : oneLink(target, 'last');
  return fc.oneof({ weight: 12, arbitrary: fitting.map(([sent]) => sent) }, { weight: 1, arbitrary: mixed });
}

/** A component, new or one that is there. */
const instanceOf = (uid: string, making: Making, level: number): fc.Arbitrary<Data> =>
  fc
    .tuple(dataAt(making.registry.components.get(uid)?.attributes ?? new Map(), making, level + 1), making.instance)
    .map(([data, id]) => (id === undefined ? data : { id, ...data }));

function inputOf(attribute: Attribute, making: Making, level: number): fc.Arbitrary<unknown> | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return making.valueOf(attribute);
    case 'relation':
      return linksOf(attribute.multiple, making.targetOf(attribute.target));
    case 'media':
      return linksOf(attribute.multiple, making.targetOf(FILE_UID));
    case 'polymorphic':
      return linksOf(attribute.multiple, making.targetOf());
    case 'component': {
      if (level >= LEVELS) return undefined;
      const one = instanceOf(attribute.component, making, level);
      return attribute.repeatable ? fc.array(one, { maxLength: 3 }) : one;
    }
    case 'dynamiczone': {
      if (level >= LEVELS) return undefined;
      const entry = fc
        .constantFrom(...attribute.components)
        .chain((uid) => instanceOf(uid, making, level).map((data) => ({ ...data, __component: uid })));
      return fc.array(entry, { maxLength: 3 });
    }
    case 'creator':
    case 'localizations':
    case 'related':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

function dataAt(attributes: ReadonlyMap<string, Attribute>, making: Making, level: number): fc.Arbitrary<Data> {
  const sent = [...attributes.values()].filter((attribute) => attribute.writable && making.isSent(attribute));
  const inputs = sent.flatMap((attribute): [Attribute, fc.Arbitrary<unknown>][] => {
    const input = inputOf(attribute, making, level);
    return input ? [[attribute, fc.oneof({ weight: 12, arbitrary: input }, fc.constant(null))]] : [];
  });
  const [required, others] = [true, false].map((is) => inputs.filter(([attribute]) => attribute.required === is));
  // Few of many: most attributes are left out of most bodies.
  const chosen = fc.subarray(others ?? [], { maxLength: Math.min(making.most, others?.length ?? 0) });
  const kept = fc.oneof({ weight: 5, arbitrary: fc.constant(required ?? []) }, fc.subarray(required ?? []));
  return fc
    .tuple(kept, chosen)
    .chain(([needed, more]) =>
      fc.record(Object.fromEntries([...needed, ...more].map(([{ name }, input]) => [name, input]))),
    );
}

/** The `data` of a write. */
export const dataWith = (attributes: ContentType['attributes'], making: Making): fc.Arbitrary<Data> =>
  dataAt(attributes, making, 0);
