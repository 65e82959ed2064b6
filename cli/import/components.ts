/**
 * @module Components and zones of an archive → the JSON of their column. Their relations and media, which the archive has
 * as links to rows, become lists of documents.
 */
import type { JsonObject } from '../../src/common/json.ts';
import type { Link } from '../../src/content/plan/model/links.ts';
import { hasComponents, isLinkAttribute, isPolymorphic, isScalar } from '../../src/schema/attribute-kinds.ts';
import type { ComponentAttribute, DynamicZoneAttribute, LinkAttribute, Registry } from '../../src/schema/model.ts';
import { ROLE_UID } from '../../src/schema/system-types.ts';
import { mapInstances } from '../core/archive/instances.ts';
import type { ImportRun } from './marker.ts';
import { shownValue } from './values.ts';

const KNOWN = `links join rows on rows.type = target_type and rows.id = target and not rows.is_double`;

const LINKS = `
  select document_id as documentId, locale, nullif(here, '${ROLE_UID}') as here from ${KNOWN}
  where links.type = ? and source = ? and field = ?
  order by coalesce(position, links.seq), links.seq`;

const KNOWN_LINKS = `select count(*) as count from ${KNOWN} where links.type not like '%::%'`;

function once(links: readonly Link[]): readonly Link[] {
  if (links.length < 2) return links;
  return [...new Map(links.map((link) => [`${link.documentId} ${link.locale} ${link.type}`, link])).values()];
}

/** Ids of a source are unique for each component type, those of a row here for all of them; the same every time. */
function componentIds({ components }: Registry): (uid: string, id: unknown) => number {
  const places = new Map([...components.keys()].sort().map((uid, index) => [uid, index]));
  let made = 0;
  return (uid, id) => {
    made += 1;
    return (Number.isSafeInteger(id) ? Number(id) : -made) * places.size + (places.get(uid) ?? -1) + 1;
  };
}

/** Reads what the archive says of components; the staging area must be complete. */
export function componentReader({ survey, registry }: ImportRun) {
  const { staging, warnings, leftOut } = survey;
  const idOf = componentIds(registry);
  // Most attributes of components have no link; no query is made for them.
  const fields = staging.prepare("select distinct type || ' ' || field as name from links").all();
  const linked = new Set(fields.map(({ name }) => name));
  let [read, written] = [0, 0];

  const linksOf = (uid: string, id: unknown, attribute: LinkAttribute): readonly Link[] => {
    const { name } = attribute;
    if (typeof id !== 'number' || !linked.has(`${uid} ${name}`)) return [];
    const found = staging.prepare(LINKS).all(uid, id, name);
    read += found.length;
    const placed = found.flatMap(({ documentId, locale, here }) => {
      const target = { documentId: String(documentId), locale: String(locale) };
      if (!isPolymorphic(attribute)) return [target];
      return here === null ? [] : [{ ...target, type: String(here) }];
    });
    const links = once(placed);
    written += links.length;
    leftOut.add(`${uid}.${name}: to a row that has no place here`, { links: found.length - placed.length });
    leftOut.addUnneeded(`${uid}.${name}: to the other version of a linked document`, {
      links: placed.length - links.length,
    });
    return links;
  };

  const instanceOf = (item: JsonObject, uid: string): object => {
    const instance: Record<string, unknown> = { id: idOf(uid, item.id) };
    for (const attribute of registry.components.get(uid)?.attributes.values() ?? []) {
      const value = item[attribute.name];
      if (isScalar(attribute)) instance[attribute.name] = shownValue(attribute, value, uid, warnings);
      else if (isLinkAttribute(attribute)) instance[attribute.name] = linksOf(uid, item.id, attribute);
      else if (hasComponents(attribute)) instance[attribute.name] = contentOf(attribute, value, uid);
    }
    return instance;
  };

  /** @param owner uid of the type or component that has the attribute. */
  const contentOf = (attribute: ComponentAttribute | DynamicZoneAttribute, value: unknown, owner: string): unknown =>
    mapInstances(attribute, value, instanceOf, (uid) =>
      warnings.addLoss(
        `${owner}.${attribute.name}: a component is ${uid.slice(0, 80)}, which has no place there; left out`,
      ),
    );

  return {
    contentOf,
    /** Once all rows were read: leaves out the links of components that no row has. @returns how many links rows have. */
    finish(): number {
      const known = Number(staging.prepare(KNOWN_LINKS).get()?.count ?? 0);
      leftOut.add('of a component that no imported row has', { links: known - read });
      return written;
    },
  };
}

export type Components = ReturnType<typeof componentReader>;
