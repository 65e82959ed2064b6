/**
 * @module Bodies for any content type, with everything that they link to: other documents, users, uploaded files.
 */

import { pathOfType } from '../src/http/endpoint.ts';
import { isLinkAttribute, isPassword } from '../src/schema/attribute-kinds.ts';
import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
} from '../src/schema/model.ts';
import { FILE_UID, ROLE_UID, USER_ATTRIBUTES, USER_UID } from '../src/schema/system-types.ts';
import { isVisible } from '../src/schema/visibility.ts';
import type { ApiDocument, Client } from './client.ts';
import { formOf, sampleFor } from './files.ts';
import { gapOf, inputsOf, type TestModel } from './gaps.ts';
import { sampleValue } from './values.ts';

export type Data = Readonly<Record<string, unknown>>;

/** Which attributes a body has: all, all but relations and media that are not required, or those that are required. */
export type Extent = 'all' | 'values' | 'required';

export interface TestDocuments {
  /** A valid body for a content type. */
  bodyOf(uid: string, extent?: Extent): Promise<Data>;
  /** Creates a document with the attributes that its type requires, published where there are drafts. */
  create(uid: string, data?: Data): Promise<ApiDocument>;
}

/** Levels of components in which attributes stand that are not required. */
const DEEPEST = 3;

function isWanted(attribute: Attribute, extent: Extent): boolean {
  if (attribute.required) return true;
  return extent === 'all' || (extent === 'values' && !isLinkAttribute(attribute));
}

/** Of components: one, or as many as there have to be. */
const countOf = ({ min = 0, max = Number.POSITIVE_INFINITY }: { readonly min?: number; readonly max?: number }) =>
  Math.min(Math.max(min, 1), max);

export function testDocuments(model: TestModel, client: Client): TestDocuments {
  let last = 0;
  const next = (): number => {
    last += 1;
    return last;
  };

  /** Of any role: there are always two. */
  async function roleId(): Promise<number | undefined> {
    const answer = (await client.json('GET', '/api/users-permissions/roles')) as {
      readonly roles: readonly { readonly id: number }[];
    };
    return answer.roles[0]?.id;
  }

  async function upload(attribute: Pick<MediaAttribute, 'name' | 'allowedTypes'>): Promise<number> {
    const sample = sampleFor(attribute, model.settings);
    if (!sample) throw new Error(`there is no file for ${attribute.name}`);
    const [file] = (await client.json('POST', '/api/upload', formOf(sample))) as readonly { readonly id: number }[];
    return file?.id ?? 0;
  }

  async function attributesBody(attributes: Iterable<Attribute>, extent: Extent, depth: number): Promise<Data> {
    const data: Record<string, unknown> = {};
    for (const attribute of attributes) {
      if (!isWanted(attribute, depth < DEEPEST ? extent : 'required') || gapOf(attribute, model) !== undefined)
        continue;
      // Each takes a tenth of a second, and the settings limit how many a body has.
      if (depth > 0 && isPassword(attribute) && !attribute.required) continue;
      data[attribute.name] = await valueFor(attribute, extent, depth);
    }
    const hidden = [...attributes].filter((attribute) => !isVisible(attribute, data)).map(({ name }) => name);
    return Object.fromEntries(Object.entries(data).filter(([name]) => !hidden.includes(name)));
  }

  const component = (uid: string, extent: Extent, depth: number): Promise<Data> =>
    attributesBody(inputsOf(model.registry.components.get(uid)?.attributes ?? new Map()), extent, depth + 1);

  async function components(attribute: ComponentAttribute, extent: Extent, depth: number): Promise<unknown> {
    if (!attribute.repeatable) return component(attribute.component, extent, depth);
    const list: Data[] = [];
    while (list.length < countOf(attribute)) list.push(await component(attribute.component, extent, depth));
    return list;
  }

  /** One of each component, and more of the first where there have to be. */
  async function zone(attribute: DynamicZoneAttribute, extent: Extent, depth: number): Promise<unknown> {
    const made = attribute.components.filter((uid) => gapOf({ ...attribute, components: [uid] }, model) === undefined);
    const uids = depth === 0 ? made : made.slice(0, 1);
    while (uids.length < countOf(attribute)) uids.push(uids[0] ?? '');
    const list: Data[] = [];
    for (const uid of uids.slice(0, attribute.max))
      list.push({ __component: uid, ...(await component(uid, extent, depth)) });
    return list;
  }

  async function related({ target }: RelationAttribute): Promise<unknown> {
    if (target === ROLE_UID) return roleId();
    if (target === FILE_UID) return upload({ name: FILE_UID, allowedTypes: [] });
    return (await create(target)).documentId;
  }

  async function valueFor(attribute: Attribute, extent: Extent, depth: number): Promise<unknown> {
    switch (attribute.kind) {
      case 'scalar':
        return sampleValue(attribute, next());
      case 'component':
        return components(attribute, extent, depth);
      case 'dynamiczone':
        return zone(attribute, extent, depth);
      case 'media': {
        const id = await upload(attribute);
        return attribute.multiple ? [id] : id;
      }
      case 'polymorphic':
        return [{ __type: FILE_UID, id: await upload({ name: FILE_UID, allowedTypes: [] }) }];
      case 'relation': {
        const id = await related(attribute);
        return attribute.multiple ? [id] : id;
      }
      case 'localizations':
      case 'related':
      case 'creator':
        return undefined;
      default:
        return attribute satisfies never;
    }
  }

  function typeOf(uid: string): ContentType {
    const type = model.registry.contentTypes.get(uid);
    if (!type) throw new Error(`there is no content type ${uid}`);
    return type;
  }

  /** What the account itself needs, beside the attributes that the project adds. */
  async function accountBody(): Promise<Data> {
    const name = `reader-${next()}`;
    return { username: name, email: `${name}@example.com`, password: `Secret ${name}`, role: await roleId() };
  }

  async function bodyOf(uid: string, extent: Extent = 'all'): Promise<Data> {
    const attributes = inputsOf(typeOf(uid).attributes);
    if (uid !== USER_UID) return attributesBody(attributes, extent, 0);
    const own = attributes.filter(({ name }) => !USER_ATTRIBUTES.has(name));
    return { ...(await attributesBody(own, extent, 0)), ...(await accountBody()) };
  }

  async function create(uid: string, data: Data = {}): Promise<ApiDocument> {
    const body = { ...(await bodyOf(uid, 'required')), ...data };
    if (uid === USER_UID) return (await client.json('POST', '/api/users', body)) as ApiDocument;
    const type = typeOf(uid);
    return client.data<ApiDocument>(
      type.kind === 'singleType' ? 'PUT' : 'POST',
      `${pathOfType(type)}?status=published`,
      body,
    );
  }

  return { bodyOf, create };
}
