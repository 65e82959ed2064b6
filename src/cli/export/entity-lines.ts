/**
 * @module Rows of tables → entities of an archive. Components are inline and get ids of their own; the links in them go
 * to the other links.
 */

import { isObject } from '../../json.ts';
import { FIELDS } from '../../registry/fields.ts';
import type { Attribute, ContentType, ScalarAttribute } from '../../registry/model.ts';
import { FILE_UID, USER_UID } from '../../registry/system-types.ts';
import type { Status } from '../../request/query-params.ts';
import type { Row } from '../../sql/statement.ts';
import { keepInnerLinks, type Owner } from './inner-links.ts';
import type { EntityContext } from './row-index.ts';

type Item = Readonly<Record<string, unknown>>;

/** Attributes that Strapi does not have. */
const OWN: Readonly<Record<string, ReadonlySet<string>>> = {
  [USER_UID]: new Set(['usernameKey', 'emailKey', 'passwordChangedAt']),
};

export const statusOf = (row: Row): Status => (row.published_at === null ? 'draft' : 'published');

function parsed(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : null;
}

function instanceOf(item: Item, uid: string, owner: Owner, context: EntityContext): object {
  const { registry, index } = context;
  const id = index.nextId(uid);
  const instance: Record<string, unknown> = { id };
  for (const attribute of registry.components.get(uid)?.attributes.values() ?? []) {
    const value = item[attribute.name];
    if (attribute.kind === 'scalar') instance[attribute.name] = value ?? null;
    else if (attribute.kind === 'component' || attribute.kind === 'dynamiczone')
      instance[attribute.name] = contentOf(attribute, value, owner, context);
    else if (attribute.kind === 'relation' || attribute.kind === 'media')
      keepInnerLinks({ uid, id, attribute, links: value, owner }, context);
  }
  return instance;
}

/** Zones and repeatable components are lists, also where there is nothing: the importer refuses null. */
function contentOf(attribute: Attribute, value: unknown, owner: Owner, context: EntityContext): unknown {
  const items = (Array.isArray(value) ? value : [value]).filter(isObject);
  if (attribute.kind === 'dynamiczone')
    return items
      .filter((item) => attribute.components.includes(String(item.__component)))
      .map((item) => ({
        ...instanceOf(item, String(item.__component), owner, context),
        __component: item.__component,
      }));
  if (attribute.kind !== 'component') return null;
  const instances = items.map((item) => instanceOf(item, attribute.component, owner, context));
  return attribute.repeatable ? instances : (instances[0] ?? null);
}

function scalarOf({ name, type, column, overflow }: ScalarAttribute, row: Row, surplus: Item): unknown {
  const stored = overflow ? surplus[name] : row[column];
  return stored === null || stored === undefined ? null : FIELDS[type].read(stored);
}

/** As Strapi has files in its own folder. */
const FILE_VALUES = { provider: 'local' } as const;

/** The entity of a row. */
export function entityOf(row: Row, type: ContentType, context: EntityContext): object {
  const { uid, attributes, localized } = type;
  const owner: Owner = { locale: String(row.locale), status: statusOf(row), drafts: type.draftAndPublish };
  const surplus = parsed(row.overflow_attributes);
  const data: Record<string, unknown> = { documentId: row.document_id };
  for (const attribute of attributes.values()) {
    if (OWN[uid]?.has(attribute.name)) continue;
    if (attribute.kind === 'scalar') data[attribute.name] = scalarOf(attribute, row, isObject(surplus) ? surplus : {});
    else if (attribute.kind === 'component' || attribute.kind === 'dynamiczone')
      data[attribute.name] = contentOf(attribute, parsed(row[attribute.column]), owner, context);
  }
  data.locale = localized ? row.locale : null;
  if (uid === USER_UID) Object.assign(data, { resetPasswordToken: null, confirmationToken: null });
  if (uid === FILE_UID) Object.assign(data, { ...FILE_VALUES, folderPath: data.folderPath ?? '/' });
  return { type: uid, id: row.id, data };
}
