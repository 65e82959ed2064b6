/**
 * @module The surfaces of the API: for each, a generator of the steps that use it. A new feature adds its own here.
 */
import fc from 'fast-check';
import { idNamed } from './chance.ts';
import { bodyOf } from './bodies.ts';
import { pathNamed, PASSWORD, PATHS } from './content.ts';
import { documentIdOf, HIDDEN_FRENCH, nameOf, TYPE_NAMES } from './names.ts';
import { documentQuery, grammarNamed, grammarOf, listQuery, readQuery } from './queries.ts';
import { described, type Planned, requested, type Step } from './step.ts';
import { registry } from './model.ts';
import { FILE_UID, USER_UID } from '../../../src/registry/system-types.ts';

type Steps = fc.Arbitrary<readonly Step[]>;

const withQuery = (path: string, ...queries: readonly string[]): string => {
  const query = queries.filter(Boolean).join('&');
  return query ? `${path}?${query}` : path;
};
const one = (request: fc.Arbitrary<Planned>): Steps => request.map((planned) => [requested(planned)]);

/** Types by how much there is to find out about them. */
const typeName = fc.constantFrom(...TYPE_NAMES, 'story', 'story', 'story', 'chapter', 'remark', 'child', 'menu');
const DRAFTED = ['story', 'story', 'chapter', 'sheet', 'board'] as const;
const collection = (type: string): string => `/api/${PATHS[type]}`;
const documentPath = (type: string, name: string): string => `${collection(type)}/${documentIdOf(name)}`;

const format = fc.constantFrom(undefined, undefined, undefined, { 'strapi-response-format': 'v4' });
const method = fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'HEAD');

const listRead: fc.Arbitrary<Planned> = typeName.chain((type) =>
  fc
    .tuple(method, listQuery(grammarNamed(type)), format)
    .map(([verb, query, headers]) => ({ method: verb, path: withQuery(collection(type), query), ...(headers && { headers }) })),
);
const documentRead: fc.Arbitrary<Planned> = typeName.chain((type) =>
  fc
    .tuple(nameOf(type), readQuery(grammarNamed(type)))
    .map(([name, query]) => ({ method: 'GET', path: withQuery(documentPath(type, name), query) })),
);
const homeRead: fc.Arbitrary<Planned> = readQuery(grammarNamed('home')).map((query) => ({
  method: 'GET',
  path: withQuery('/api/home', query),
}));
const read = fc.oneof(
  { weight: 6, arbitrary: listRead },
  { weight: 3, arbitrary: documentRead },
  { weight: 1, arbitrary: homeRead },
);

/** A locale that the caller may write: whether a hidden one is there cannot be hidden from who may create it. */
const writtenLocale = (name: string): fc.Arbitrary<string> =>
  HIDDEN_FRENCH.includes(name)
    ? fc.constantFrom('', '', '', 'locale=de', 'locale=en')
    : fc.constantFrom('', '', '', 'locale=fr', 'locale=de');
const writtenStatus = fc.constantFrom('', '', 'status=draft', 'status=published');

const create: fc.Arbitrary<Planned> = typeName.chain((type) =>
  fc
    .tuple(bodyOf(type), documentQuery(grammarNamed(type)), writtenStatus, fc.constantFrom('', '', 'locale=fr'))
    .map(([data, ...queries]) => ({ method: 'POST', path: withQuery(collection(type), ...queries), json: { data } })),
);
const update: fc.Arbitrary<Planned> = typeName.chain((type) =>
  nameOf(type).chain((name) =>
    fc
      .tuple(bodyOf(type), documentQuery(grammarNamed(type)), writtenStatus, writtenLocale(name))
      .map(([data, ...queries]) => ({
        method: 'PUT',
        path: withQuery(documentPath(type, name), ...queries),
        json: { data },
      })),
  ),
);
const homeUpdate: fc.Arbitrary<Planned> = fc
  .tuple(bodyOf('home'), documentQuery(grammarNamed('home')), writtenStatus, writtenLocale('home'))
  .map(([data, ...queries]) => ({ method: 'PUT', path: withQuery('/api/home', ...queries), json: { data } }));
const remove: fc.Arbitrary<Planned> = typeName.chain((type) =>
  fc
    .tuple(
      nameOf(type),
      fc.constantFrom('', '', 'locale=fr', 'locale=*', 'locale=de'),
      fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: grammarNamed(type).filter }),
    )
    .map(([name, ...queries]) => ({ method: 'DELETE', path: withQuery(documentPath(type, name), ...queries) })),
);

const drafted = fc
  .constantFrom(...DRAFTED)
  .chain((type) => fc.tuple(fc.constant(type), nameOf(type)))
  .map(([type, name]) => ({ type, name, path: documentPath(type, name) }));
const publication = fc
  .tuple(drafted, fc.constantFrom('publish', 'publish', 'unpublish', 'discard-draft'))
  .chain(([{ type, name, path }, action]) =>
    fc
      .tuple(documentQuery(grammarNamed(type)), writtenLocale(name))
      .map(([...queries]): Planned => ({ method: 'POST', path: withQuery(`${path}/actions/${action}`, ...queries) })),
  );
const homePublication = fc
  .constantFrom('publish', 'unpublish', 'discard-draft')
  .map((action): Planned => ({ method: 'POST', path: `/api/home/actions/${action}` }));

const at = fc.constantFrom('2026-06-01T12:03:00.000Z', '2026-06-01T12:30:00.000Z', '2020-01-01T00:00:00.000Z');
const schedule = fc
  .tuple(drafted, fc.constantFrom('publish', 'unpublish'), at, fc.constantFrom('', '', 'locale=fr', 'locale=de'))
  .map(
    ([{ path }, action, time, locale]): Planned => ({
      method: 'POST',
      path: withQuery(`${path}/actions/${action}`, locale),
      json: { data: { at: time } },
    }),
  );
/** The entries that `secrets.ts` makes have these ids. */
const hiddenEntry = fc
  .nat(4)
  .map((index) => [...`hidden${index}1`.padStart(12, '.')].map((c) => c.charCodeAt(0).toString(16)).join(''));
const scheduled: fc.Arbitrary<Planned> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ method: 'GET', path: '/api/scheduled' }) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(hiddenEntry, fc.constant('{entry}'))
      .map((entry) => ({ method: 'DELETE', path: `/api/scheduled/${entry}` })),
  },
);

/** Headers that depend on what was read. */
const conditionally = (request: fc.Arbitrary<Planned>): Steps =>
  fc
    .tuple(read, request, fc.constantFrom('"{etag}"', '*', '"0000000000000000"'))
    .map(([first, next, tag]) => [
      requested(first),
      requested({ ...next, headers: { ...next.headers, 'if-match': tag.replace('"{etag}"', '{etag}') } }),
    ]);

const repeated: Steps = read.map((request) => [
  requested(request),
  requested(request),
  requested({ ...request, headers: { ...request.headers, 'if-none-match': '{etag}' } }),
]);
/** A caller who sees more has just read the same. */
const cachedByOthers: Steps = fc
  .tuple(read, fc.constantFrom('full', 'edda', 'zoe', 'public'))
  .map(([request, caller]) => [{ kind: 'other', request, caller }, requested(request)]);

/** A write with a key, after which the document is hidden; its repeat shows nothing of it. */
const keyed: Steps = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: create },
      { weight: 1, arbitrary: fc.constant({ method: 'POST', path: '/api/stories', json: { data: { body: '{huge}' } } }) },
    ),
    fc.boolean(),
  )
  .map(([request, hides]) => {
    const step = requested({ ...request, headers: { 'idempotency-key': described(requested(request)).length.toString() } });
    return [step, ...(hides ? [{ kind: 'hide' } as const] : []), step];
  });

const referring = (data: Record<string, unknown>, index: number): Record<string, unknown> =>
  JSON.parse(JSON.stringify(data).replaceAll('{new}', `$ref:${index}`));
const batch: fc.Arbitrary<Planned> = fc
  .array(fc.oneof(create, update, update, remove), { minLength: 1, maxLength: 4 })
  .map((requests) => ({
    method: 'POST',
    path: '/api/batch',
    json: {
      requests: requests.map(({ method: verb, path, json }, index) => ({
        method: verb,
        path,
        ...(json !== undefined && { body: referring(json as Record<string, unknown>, Math.max(0, index - 1)) }),
      })),
    },
  }));

const file = fc.constantFrom('{file1}', '{file2}', '{file9}', 'file1'.padEnd(24, '0'));
const refId = (type: string): fc.Arbitrary<string> =>
  fc
    .tuple(nameOf(type), fc.constantFrom('', '', '/en/draft', '/en/published', '/fr/published'))
    .map(([name, version]) => (version && name !== '{new}' ? `{${name}${version}}` : documentIdOf(name)));
const upload: fc.Arbitrary<Planned> = fc
  .constantFrom('sheet', 'sheet', 'leaflet', 'leaflet', 'story', 'remark')
  .chain((type) =>
    fc.tuple(
      fc.constant(type),
      refId(type),
      fc.constantFrom('cover', 'gallery', 'picture'),
      fc.constantFrom(undefined, undefined, { 'idempotency-key': 'upload' }),
    ),
  )
  .map(([type, id, field, headers]) => ({
    method: 'POST',
    path: '/api/upload',
    ...(headers && { headers }),
    form: [
      { name: 'files', value: 'new bytes', file: 'new.txt' },
      { name: 'ref', value: `api::${type}.${type}` },
      { name: 'refId', value: id },
      { name: 'field', value: field },
    ],
  }));
const fileChange: fc.Arbitrary<Planned> = fc.oneof(
  file.map((id) => ({ method: 'POST', path: `/api/upload?id=${id}`, json: { fileInfo: { caption: 'new' } } })),
  file.map((id) => ({ method: 'DELETE', path: `/api/upload/files/${id}` })),
);
const fileGrammar = grammarOf({
  attributes: new Map(
    [...(registry.contentTypes.get(FILE_UID)?.attributes ?? [])].filter(([name]) =>
      ['name', 'caption', 'mime', 'related'].includes(name),
    ),
  ),
});
const fileRead: fc.Arbitrary<Planned> = fc.oneof(
  fc
    .tuple(fc.constantFrom('/api/upload/files', '/api/upload/files/page'), listQuery(fileGrammar))
    .map(([path, query]) => ({ method: 'GET', path: withQuery(path, query) })),
  fc
    .tuple(file, fc.constantFrom('populate=related', 'populate[related][populate]=*', 'populate=*'))
    .map(([id, query]) => ({ method: 'GET', path: `/api/upload/files/${id}?${query}` })),
);

const userGrammar = grammarOf({
  attributes: new Map(
    [...(registry.contentTypes.get(USER_UID)?.attributes ?? [])].filter(([name]) =>
      ['username', 'nickname', 'department', 'team', 'badge', 'favorites'].includes(name),
    ),
  ),
});
const userRead: fc.Arbitrary<Planned> = fc
  .tuple(
    fc.constantFrom('/api/users', '/api/users/me', '/api/users/me', '/api/users/{zoe}', '/api/users/{anna}'),
    listQuery(userGrammar),
  )
  .map(([path, query]) => ({ method: 'GET', path: withQuery(path, query) }));
const registration: fc.Arbitrary<Planned> = fc
  .tuple(
    fc.constantFrom('newcomer', 'stranger'),
    fc.record(
      {
        nickname: fc.constantFrom('alpha', null),
        team: nameOf('team').map(documentIdOf),
        favorites: fc.array(nameOf('story').map(documentIdOf), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([username, data]) => ({
    method: 'POST',
    path: '/api/auth/local/register',
    json: { username, email: `${username}@example.com`, password: PASSWORD, ...data },
  }));
const others: fc.Arbitrary<Planned> = fc.constantFrom(
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/api/i18n/locales' },
  { method: 'GET', path: '/api/users-permissions/roles' },
  { method: 'POST', path: '/api/auth/local', json: { identifier: 'zoe', password: 'wrong-password' } },
  { method: 'POST', path: '/api/auth/forgot-password', json: { email: 'zoe@example.com' } },
);

export interface Surface {
  readonly name: string;
  readonly weight: number;
  readonly steps: Steps;
}

export const SURFACES: readonly Surface[] = [
  { name: 'reads', weight: 10, steps: one(read) },
  { name: 'repeated reads', weight: 2, steps: repeated },
  { name: 'reads that others made before', weight: 2, steps: cachedByOthers },
  { name: 'creates', weight: 4, steps: one(create) },
  { name: 'updates', weight: 7, steps: one(fc.oneof({ weight: 8, arbitrary: update }, { weight: 1, arbitrary: homeUpdate })) },
  { name: 'deletes', weight: 2, steps: one(remove) },
  { name: 'publication', weight: 4, steps: one(fc.oneof({ weight: 8, arbitrary: publication }, { weight: 1, arbitrary: homePublication })) },
  { name: 'schedules', weight: 2, steps: one(schedule) },
  { name: 'scheduled entries', weight: 2, steps: one(scheduled) },
  { name: 'the cron trigger', weight: 1, steps: fc.constant([{ kind: 'cron' }]) },
  { name: 'If-Match', weight: 2, steps: conditionally(fc.oneof(update, remove, publication, schedule)) },
  { name: 'Idempotency-Key', weight: 2, steps: keyed },
  { name: 'batches', weight: 4, steps: one(batch) },
  { name: 'uploads', weight: 3, steps: one(fc.oneof({ weight: 3, arbitrary: upload }, { weight: 1, arbitrary: fileChange })) },
  { name: 'files', weight: 2, steps: one(fileRead) },
  { name: 'users', weight: 2, steps: one(userRead) },
  { name: 'registrations', weight: 1, steps: one(registration) },
  { name: 'others', weight: 1, steps: one(others) },
];

/** What the caller sees in the end. */
export const FINAL_READS: readonly Planned[] = [
  ...['stories', 'chapters', 'children', 'remarks', 'menus', 'boards', 'sheets', 'leaflets'].map((plural) => ({
    method: 'GET',
    path: `/api/${plural}?populate=*&locale=*&pagination[pageSize]=100`,
  })),
  { method: 'GET', path: '/api/menus?populate[items][populate]=*&populate[stories][populate]=remarks' },
  { method: 'GET', path: '/api/home?populate=*' },
  { method: 'GET', path: '/api/upload/files?populate=related' },
  { method: 'GET', path: '/api/scheduled' },
];
void pathNamed;
void idNamed;
