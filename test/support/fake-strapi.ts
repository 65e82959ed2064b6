/**
 * @module A local server that answers as a Strapi 5 would that has the content of an archive, as far as an import asks.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ArchiveParts } from './archive.ts';

type Json = Record<string, unknown>;

interface Schema {
  readonly uid: string;
  readonly modelType: string;
  readonly kind?: string;
  readonly collectionName: string;
  readonly info: { readonly singularName: string; readonly pluralName: string };
  readonly options: { readonly draftAndPublish?: boolean };
  readonly pluginOptions?: Json;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

interface Attribute extends Json {
  readonly type: string;
  readonly target?: string;
  readonly mappedBy?: string;
  readonly component?: string;
}

interface End {
  readonly type: string;
  readonly field?: string;
  readonly ref: number;
  readonly pos?: number;
}

interface Row {
  readonly type: string;
  readonly id: number;
  readonly data: Json;
}

export type Intercept = (url: URL, request: IncomingMessage, response: ServerResponse) => boolean;

export interface FakeStrapi {
  readonly base: string;
  /** What was asked for, each with the token that came along. */
  readonly requests: { readonly path: string; readonly token: string | undefined }[];
  /** Answers in the place of the server where it says so. */
  intercept: Intercept;
  /** What it says the time is; undefined: nothing. */
  date: string | undefined;
  /** The content; may be changed. */
  content: ArchiveParts;
  close(): Promise<void>;
}

const USER = 'plugin::users-permissions.user';
const FILE = 'plugin::upload.file';

const userSchema: Schema = {
  ...{ uid: USER, modelType: 'contentType', kind: 'collectionType', collectionName: 'up_users' },
  ...{ info: { singularName: 'user', pluralName: 'users' }, options: {} },
  attributes: {
    ...{ username: { type: 'string' }, email: { type: 'email' }, provider: { type: 'string' } },
    ...{ password: { type: 'password', private: true }, confirmed: { type: 'boolean' }, blocked: { type: 'boolean' } },
  },
};
const fileSchema: Schema = {
  ...{ uid: FILE, modelType: 'contentType', kind: 'collectionType', collectionName: 'files' },
  ...{ info: { singularName: 'file', pluralName: 'files' }, options: {}, attributes: { name: { type: 'string' } } },
};

/** What of an archive is asked for. */
class Content {
  readonly parts: ArchiveParts;
  readonly schemas: readonly Schema[];
  constructor(parts: ArchiveParts) {
    this.parts = parts;
    this.schemas = [...((parts.schemas ?? []) as Schema[]), userSchema, fileSchema];
  }

  schema(uid: string): Schema | undefined {
    return this.schemas.find((schema) => schema.uid === uid);
  }

  rows(uid: string): readonly Row[] {
    return ((this.parts.entities ?? []) as Row[]).filter(({ type }) => type === uid);
  }

  /** The ids at the other end of what an attribute shows. */
  linked(uid: string, id: number, name: string, attribute: Attribute): readonly number[] {
    const links = (this.parts.links ?? []) as { left: End; right: End }[];
    const [own, other]: ['left' | 'right', 'left' | 'right'] =
      attribute.type === 'media' || attribute.mappedBy ? ['right', 'left'] : ['left', 'right'];
    return links
      .filter((link) => link[own].type === uid && link[own].ref === id && link[own].field === name)
      .sort((one, two) => (one[own].pos ?? 0) - (two[own].pos ?? 0))
      .map((link) => link[other].ref);
  }

  targets(uid: string, id: number, name: string, attribute: Attribute, status: string): readonly Json[] {
    const target = attribute.type === 'media' ? FILE : String(attribute.target);
    const versions = this.schema(target)?.options.draftAndPublish === true;
    return this.linked(uid, id, name, attribute).flatMap((ref) => {
      const row = this.rows(target).find((each) => each.id === ref);
      const fits = row && (!versions || (row.data.publishedAt === null) === (status === 'draft'));
      return fits ? [{ id: ref, documentId: row.data.documentId, locale: row.data.locale }] : [];
    });
  }

  shown(uid: string, id: number, data: Json, status: string): Json {
    const values: Json = { ...data, id };
    for (const [name, attribute] of Object.entries(this.schema(uid)?.attributes ?? {})) {
      if (attribute.private === true || attribute.type === 'password') delete values[name];
      else if (attribute.type === 'relation' || attribute.type === 'media')
        values[name] = this.targets(uid, id, name, attribute, status);
      else if (attribute.type === 'component' || attribute.type === 'dynamiczone')
        values[name] = this.components(data[name], String(attribute.component), status);
    }
    return values;
  }

  components(value: unknown, uid: string, status: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.components(item, uid, status));
    if (typeof value !== 'object' || value === null) return null;
    const item = value as Json;
    return this.shown(String(item.__component ?? uid), Number(item.id), item, status);
  }
}

const localized = ({ pluginOptions }: Schema): boolean =>
  JSON.stringify(pluginOptions ?? {}).includes('"localized":true');

function changed(rows: readonly Row[], query: URLSearchParams): readonly Row[] {
  const since = query.get('filters[$or][0][updatedAt][$gte]') ?? '';
  return rows.filter(({ data }) => String(data.updatedAt) >= since);
}

function page(rows: readonly Row[], query: URLSearchParams): readonly Row[] {
  const after = Number(query.get('filters[id][$gt]') ?? 0);
  const last = Number(query.get('filters[id][$lte]') ?? Number.POSITIVE_INFINITY);
  const limit = Number(query.get('pagination[limit]') ?? query.get('limit') ?? 25);
  return changed(rows, query)
    .filter(({ id }) => id > after && id <= last)
    .sort((one, two) => one.id - two.id)
    .slice(0, limit);
}

function listOf(content: Content, schema: Schema, query: URLSearchParams): unknown {
  const status = query.get('status') ?? 'published';
  const locale = query.get('locale') ?? 'en';
  const fits = ({ data }: Row) =>
    (!schema.options.draftAndPublish || (data.publishedAt === null) === (status === 'draft')) &&
    (!localized(schema) || locale === '*' || data.locale === locale);
  const rows = content.rows(schema.uid).filter(fits);
  const data = page(rows, query).map(({ id, data: values }) => content.shown(schema.uid, id, values, status));
  if (schema.kind === 'singleType') return data[0] ? { data: data[0], meta: {} } : undefined;
  return { data, meta: { pagination: { start: 0, limit: 100, total: changed(rows, query).length } } };
}

const typeAnswer = (schema: Schema): object => ({
  uid: schema.uid,
  schema: {
    ...{ ...schema.info, kind: schema.kind, collectionName: schema.collectionName, displayName: 'X', description: '' },
    draftAndPublish: schema.options.draftAndPublish === true,
    pluginOptions: schema.pluginOptions ?? {},
    attributes: Object.fromEntries(
      Object.entries(schema.attributes).filter(([name]) => !/^(created|updated)/.test(name)),
    ),
  },
});

const componentAnswer = ({ uid, collectionName, attributes }: Schema): object => ({
  uid,
  schema: { displayName: uid, collectionName, attributes },
});

function rolesOf(content: Content): readonly Json[] {
  return content.rows('plugin::users-permissions.role').map(({ id, data }) => ({ id, ...data, nb_users: 1 }));
}

/** The permissions of a role as its form in the admin panel has them. */
function permissionsOf(content: Content, role: number): Json {
  const links = (content.parts.links ?? []) as { left: End; right: End }[];
  const actions = links
    .filter(({ left, right }) => left.field === 'role' && left.type.endsWith('.permission') && right.ref === role)
    .map(({ left }) => content.rows(left.type).find(({ id }) => id === left.ref)?.data.action);
  const permissions: Record<string, { controllers: Record<string, Json> }> = {};
  for (const action of actions) {
    const [owner = '', controller = '', name = ''] = String(action).split(/\.(?=[^.]+(?:\.[^.]+)?$)/);
    permissions[owner] = { controllers: { [controller]: { [name]: { enabled: true, policy: '' } } } };
  }
  return permissions;
}

function usersOf(content: Content, query: URLSearchParams): readonly Json[] {
  const links = (content.parts.links ?? []) as { left: End; right: End }[];
  return page(content.rows(USER), query).map(({ id, data }) => {
    const { password: _, resetPasswordToken: _1, confirmationToken: _2, ...rest } = data;
    const role = links.find(({ left }) => left.type === USER && left.field === 'role' && left.ref === id)?.right.ref;
    return { ...rest, id, ...(role !== undefined && { role: { id: role } }) };
  });
}

function filesOf(content: Content, query: URLSearchParams): readonly Json[] {
  return page(content.rows(FILE), query).map(({ id, data: { folderPath: _, ...data } }) => {
    const key = `${String(data.hash)}${String(data.ext)}`;
    const formats = Object.entries((data.formats ?? {}) as Record<string, Json>).map(([name, format]) => [
      name,
      { ...format, url: `/uploads/${String(format.hash)}${String(format.ext)}` },
    ]);
    return { ...data, id, url: `/uploads/${key}`, formats: Object.fromEntries(formats), isUrlSigned: false };
  });
}

function answerOf(content: Content, { pathname, searchParams: query }: URL): unknown {
  const path = pathname.replace(/^\/api\//, '');
  const types = content.schemas.filter(({ modelType }) => modelType === 'contentType');
  const locales = content
    .rows('plugin::i18n.locale')
    .map(({ id, data }) => ({ id, ...data, isDefault: data.code === 'de' }));
  switch (path) {
    case 'content-type-builder/content-types':
      return { data: types.map(typeAnswer) };
    case 'content-type-builder/components':
      return { data: content.schemas.filter(({ modelType }) => modelType === 'component').map(componentAnswer) };
    case 'i18n/locales':
      return locales;
    case 'users':
      return usersOf(content, query);
    case 'upload/files':
      return filesOf(content, query);
    case 'users-permissions/roles':
      return { roles: rolesOf(content) };
    default:
  }
  const role = /^users-permissions\/roles\/(\d+)$/.exec(path)?.[1];
  if (role) return { role: { id: Number(role), permissions: permissionsOf(content, Number(role)) } };
  const type = types.find(({ kind, info }) => path === (kind === 'singleType' ? info.singularName : info.pluralName));
  return type && listOf(content, type, query);
}

/** Starts one on a free port. */
export async function fakeStrapi(parts: ArchiveParts): Promise<FakeStrapi> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    fake.requests.push({ path: `${url.pathname}${url.search}`, token: request.headers.authorization });
    response.sendDate = false;
    if (fake.date !== undefined) response.setHeader('date', fake.date);
    if (fake.intercept(url, request, response)) return;
    const key = /^\/uploads\/(.+)$/.exec(url.pathname)?.[1];
    const bytes = key && fake.content.uploads?.[key];
    if (bytes !== undefined && bytes !== '') return void response.end(bytes);
    const answer = answerOf(new Content(fake.content), url);
    response.statusCode = answer === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer ?? { data: null, error: { status: 404 } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeStrapi = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    intercept: () => false,
    date: 'Wed, 01 Jul 2026 12:00:00 GMT',
    content: parts,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return fake;
}
