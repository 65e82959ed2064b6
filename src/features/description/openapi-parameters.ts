/**
 * @module The parameters of the Content API.
 */

import { actionId, isDraftsOnly } from '../../access/grants.ts';
import { PUBLICATION_FILTERS } from '../../content/request/publication-filters.ts';
import { isScalar } from '../../schema/attribute-kinds.ts';
import { PUBLICATIONS, type PublicationAction } from '../../schema/publication.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { defaultLocale, defaultStatus } from '../../schema/settings/derived.ts';
import type { TypeSubject } from './granted-operation.ts';
import {
  arrayOf,
  booleanSchema,
  common,
  count,
  integerSchema,
  type JsonSchema,
  objectOf,
  ref,
  type Schemas,
  text,
} from './json-schema.ts';
import { FALLBACK, fallbackParameter } from './openapi-locales.ts';
import { populateParameter } from './openapi-populate.ts';
import { WORD_SEARCH } from './openapi-search.ts';
import type { Shape } from './shapes.ts';

const query = (name: string, description: string, schema: JsonSchema, rest: JsonSchema = {}): JsonSchema => ({
  name,
  in: 'query',
  description,
  schema,
  ...rest,
});

const commaList = { style: 'form', explode: false };
const brackets = { style: 'deepObject', explode: true };
const texts = arrayOf(text);

function paginationOf({ defaultLimit, maxLimit, withCount }: Settings['api']['rest']): JsonSchema {
  const size = { ...integerSchema, description: `Without it: ${defaultLimit}` };
  const most = maxLimit === null ? '' : ` At most ${maxLimit} documents come at once: larger sizes are cut.`;
  return query(
    'pagination',
    `By \`page\` and \`pageSize\`, by \`start\` and \`limit\`, or by \`after\` and \`limit\`.${most}`,
    objectOf({
      page: { ...integerSchema, description: 'Without it: 1' },
      pageSize: size,
      start: { ...integerSchema, description: 'Without it: 0' },
      limit: size,
      after: {
        ...text,
        description: 'The cursor in `meta.pagination.next` of the page before this one; empty for the first page',
      },
      withCount: { ...booleanSchema, description: `Tell \`pageCount\` and \`total\`. Without it: ${withCount}` },
    }),
    brackets,
  );
}

const STATUS = { ...text, enum: ['published', 'draft'], default: 'published' };

function statusOf(publicDrafts: boolean): JsonSchema {
  const who = publicDrafts ? '' : ' Drafts need an API token, or the right `readDrafts` of each type that is read.';
  return query('status', `Which version of the documents is read, related ones included.${who}`, STATUS);
}

const writtenStatus = (initial: 'published' | 'draft'): JsonSchema =>
  query(
    'status',
    'With `draft` only the draft is written. What publication needs is then not checked yet: required attributes, ' +
      'least values, lengths and counts, patterns, e-mail form, uniqueness.',
    { ...STATUS, default: initial },
  );

/** Of a create or update. */
function statusParameter({ shape: { uid }, settings, grants }: TypeSubject, operation: 'create' | 'update') {
  const initial = defaultStatus(settings, uid);
  if (!grants || !isDraftsOnly(grants, actionId(uid, operation)))
    return common(initial === 'draft' ? 'WrittenDraft' : 'WrittenStatus');
  const schema = { ...text, enum: ['draft'], ...(initial === 'draft' && { default: initial }) };
  return query('status', 'The caller may only write drafts.', schema, { required: initial !== 'draft' });
}

function localeParameters(settings: Settings): Schemas {
  const initial = defaultLocale(settings);
  const examples = settings.i18n.locales.map(({ code }) => code);
  const locale = { ...text, default: initial, examples };
  return {
    Locale: query('locale', 'The locale of the document.', locale),
    Locales: query(
      'locale',
      `Locale of the documents; several by repeating the parameter, \`*\` for all. Without it: \`${initial}\`.`,
      arrayOf({ ...text, examples: [...examples, '*'] }),
      { style: 'form', explode: true },
    ),
    Fallback: FALLBACK,
    DeletedLocale: query('locale', 'The locale to delete, `*` for all.', { ...locale, examples: [...examples, '*'] }),
  };
}

const SORT = query(
  'sort',
  'Attributes or dotted paths, each with `:asc` or `:desc`, separated by commas: `publishedAt:desc,author.name`.',
  texts,
  commaList,
);

const PUBLICATION_FILTER = query(
  'publicationFilter',
  'Only documents in this state of publication, judged from the version that `status` names.',
  { ...text, enum: PUBLICATION_FILTERS },
);

const IF_MATCH: JsonSchema = {
  name: 'If-Match',
  in: 'header',
  description:
    'Write only if the document is as in a response with this `ETag`, in any `fields` and `populate`; `*`: if it exists.',
  schema: text,
};

const IF_NONE_MATCH: JsonSchema = {
  name: 'If-None-Match',
  in: 'header',
  schema: text,
};

const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A repeat with the same key within a day is not written again. It has the first response, and the header ' +
    '`Idempotency-Replayed: true`. Needs a credential.',
  schema: { ...text, pattern: '^[!-~]{1,255}$' },
};

/** Returns the `components.parameters` that do not name attributes. */
export const commonParameters = (settings: Settings): Schemas => ({
  DocumentId: { name: 'documentId', in: 'path', required: true, schema: text },
  Sort: SORT,
  Populate: populateParameter(settings.api.rest),
  Pagination: paginationOf(settings.api.rest),
  Search: query('_q', 'Text that an attribute contains; a number is looked for in numeric attributes too.', text),
  WordSearch: WORD_SEARCH,
  Status: statusOf(settings.api.rest.publicDrafts),
  WrittenStatus: writtenStatus('published'),
  WrittenDraft: writtenStatus('draft'),
  ShownStatus: query('status', 'The version that the response shows.', { ...text, enum: ['draft', 'published'] }),
  Private: query('private', 'With `true` private attributes are shown, too; never a password.', booleanSchema),
  PublicationFilter: PUBLICATION_FILTER,
  IfMatch: IF_MATCH,
  IfNoneMatch: IF_NONE_MATCH,
  IdempotencyKey: IDEMPOTENCY_KEY,
  ...localeParameters(settings),
});

function fieldsOf({ shown }: Shape): JsonSchema {
  const names = shown.filter(isScalar).map(({ name }) => name);
  const items = { ...text, enum: ['*', 'id', 'documentId', ...names] };
  return query('fields', 'Attributes to show; `id` and `documentId` always are.', arrayOf(items), commaList);
}

/** Returns a `fields` parameter for each shape. */
export const fieldsParameters = (shapes: readonly Shape[]): Schemas =>
  Object.fromEntries(shapes.map((shape) => [`${shape.name}Fields`, fieldsOf(shape)]));

const filtersOf = ({ name }: Shape): JsonSchema =>
  query(
    'filters',
    'Conditions that the documents meet, nested in brackets: `filters[title][$contains]=x`, ' +
      '`filters[author][name]=x`, `filters[$or][0][title]=x&filters[$or][1][slug]=x`.',
    ref(`${name}Filters`),
    brackets,
  );

const when = (condition: boolean | undefined, name: string): readonly JsonSchema[] => (condition ? [common(name)] : []);

/** Parameters that select what a response shows. */
export const shownParameters = (shape: Shape): readonly JsonSchema[] => [
  common(`${shape.name}Fields`),
  common('Populate'),
];

/** Parameters of `GET /api/articles/:documentId`. */
export const readParameters = ({ shape, grants, type, settings }: TypeSubject): readonly JsonSchema[] => [
  ...shownParameters(shape),
  common('Status'),
  ...when(shape.contentType?.localized, 'Locale'),
  ...fallbackParameter({ shape, settings }),
  ...when(grants?.allows(actionId(type.uid, 'readPrivate')), 'Private'),
];

/** Parameters of `GET /api/articles`. */
export const listParameters = (shape: Shape): readonly JsonSchema[] => [
  filtersOf(shape),
  common('Sort'),
  ...shownParameters(shape),
  common('Pagination'),
  common('Status'),
  ...when(shape.drafts, 'PublicationFilter'),
  ...when(shape.contentType?.localized, 'Locales'),
  common('Search'),
];

/** Parameters of `GET /api/upload/files/page`. */
export const filePageParameters = (shape: Shape): readonly JsonSchema[] => [
  ...listParameters(shape),
  query('unused', 'Only files that nothing links to. Takes the right to delete files.', {
    type: 'string',
    enum: ['true'],
  }),
];

/** Parameters of `GET /api/upload/files`. */
export const bareListParameters = (shape: Shape): readonly JsonSchema[] => [
  filtersOf(shape),
  common('Sort'),
  ...shownParameters(shape),
  common('Search'),
  query('start', 'How many to pass over.', { ...integerSchema, default: 0 }),
  query('limit', 'How many to show; without it all.', integerSchema),
];

/** Parameters of `POST`. */
export const createParameters = (subject: TypeSubject): readonly JsonSchema[] => [
  ...writeParameters(subject, 'create'),
  common('IdempotencyKey'),
];

/** Parameters of `PUT`. */
export const updateParameters = (subject: TypeSubject): readonly JsonSchema[] => [
  ...writeParameters(subject, 'update'),
  common('IfMatch'),
  common('IfNoneMatch'),
];

/** Parameters of `POST` and `PUT`. */
const writeParameters = (subject: TypeSubject, operation: 'create' | 'update'): readonly JsonSchema[] => [
  ...shownParameters(subject.shape),
  ...(subject.shape.drafts ? [statusParameter(subject, operation)] : []),
  ...when(subject.shape.contentType?.localized, 'Locale'),
];

/** Parameters of the actions of publication. An unpublished document has one version to show. */
export const publicationParameters = (shape: Shape, action: PublicationAction): readonly JsonSchema[] => [
  ...shownParameters(shape),
  ...when(PUBLICATIONS[action].leavesPublished, 'ShownStatus'),
  ...when(shape.contentType?.localized, 'Locale'),
  common('IfMatch'),
];

/** Parameters of a link to a preview. */
export const previewParameters = ({ contentType }: Shape): readonly JsonSchema[] => [
  ...when(contentType?.draftAndPublish, 'ShownStatus'),
  ...when(contentType?.localized, 'Locale'),
];

/** Parameters of `DELETE`, which deletes both versions. */
export const deleteParameters = (shape: Shape): readonly JsonSchema[] => [
  ...when(shape.contentType?.localized, 'DeletedLocale'),
  common('IfMatch'),
];

/** Parameters of `GET /api/users/count`. */
export const userCountParameters = (user: Shape): readonly JsonSchema[] => [filtersOf(user), common('Search')];

/** Parameters of `GET /api/users`. */
export const userListParameters = (user: Shape): readonly JsonSchema[] => [
  ...userCountParameters(user),
  common('Sort'),
  ...shownParameters(user),
  query('start', 'How many users to pass over', count),
  query('limit', 'How many users at most; without it, all', count),
];
