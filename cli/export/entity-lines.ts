/**
 * @module Builds the entities of an archive from rows. Components are inline and get their own ids; their links join the
 * other links.
 */
import { type JsonObject, readJson, readObject } from '../../src/common/json.ts';
import type { Row } from '../../src/content/sql/statement.ts';
import { hasComponents, isLinkAttribute, isScalar } from '../../src/schema/attribute-kinds.ts';
import { FIELDS } from '../../src/schema/fields.ts';
import type { ComponentAttribute, ContentType, DynamicZoneAttribute, ScalarAttribute } from '../../src/schema/model.ts';
import { FILE_UID, FOLDER_UID, USER_UID } from '../../src/schema/system-types.ts';
import { mapInstances } from '../core/archive/instances.ts';
import { isElsewhere } from '../media/objects-here.ts';
import type { Content } from './content.ts';
import { keepInnerLinks, type Owner } from './link-lines.ts';

/** Attributes that Strapi does not have. */
const OWN: Readonly<Record<string, ReadonlySet<string>>> = {
  [FILE_UID]: new Set(['thumbHash', 'dominantColor']),
  [FOLDER_UID]: new Set(['isPrivate']),
  [USER_UID]: new Set(['usernameKey', 'emailKey', 'passwordChangedAt', 'emailProven']),
};

function instanceOf(item: JsonObject, uid: string, owner: Owner, content: Content): object {
  const id = content.nextId(uid);
  const instance: Record<string, unknown> = { id };
  for (const attribute of content.registry.components.get(uid)?.attributes.values() ?? []) {
    const value = item[attribute.name];
    if (isScalar(attribute)) instance[attribute.name] = value ?? null;
    else if (hasComponents(attribute)) instance[attribute.name] = contentOf(attribute, value, owner, content);
    else if (isLinkAttribute(attribute)) keepInnerLinks({ type: uid, ref: id }, attribute, value, owner, content);
  }
  return instance;
}

/** Dynamic zones and repeatable components without entries are empty lists: Strapi rejects null. */
const contentOf = (
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: unknown,
  owner: Owner,
  content: Content,
): unknown => mapInstances(attribute, value, (item, uid) => instanceOf(item, uid, owner, content));

function scalarOf({ name, type, column, overflow }: ScalarAttribute, row: Row, surplus: JsonObject): unknown {
  const stored = overflow ? surplus[name] : row[column];
  return stored === null || stored === undefined ? null : FIELDS[type].read(stored);
}

/** Strapi's provider of files in its own folder. */
const LOCAL = 'local';

export function entityOf(row: Row, type: ContentType, content: Content) {
  const { uid, attributes, localized, draftAndPublish } = type;
  const status = row.published_at === null ? 'draft' : 'published';
  const owner: Owner = { locale: String(row.locale), status, draftAndPublish };
  const surplus = readObject(row.overflow_attributes);
  const data: Record<string, unknown> = { documentId: row.document_id };
  for (const attribute of attributes.values()) {
    if (OWN[uid]?.has(attribute.name)) continue;
    if (isScalar(attribute)) data[attribute.name] = scalarOf(attribute, row, surplus);
    else if (hasComponents(attribute))
      data[attribute.name] = contentOf(attribute, readJson(row[attribute.column]), owner, content);
  }
  data.locale = localized ? row.locale : null;
  if (uid === USER_UID) Object.assign(data, { resetPasswordToken: null, confirmationToken: null });
  if (uid === FILE_UID)
    Object.assign(data, { ...(!isElsewhere({ row }) && { provider: LOCAL }), folderPath: data.folderPath ?? '/' });
  return { type: uid, id: row.id, data };
}
