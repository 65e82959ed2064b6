/**
 * @module Content types of each kind, and writes to them with plain values: what a plan is made of, and what it is.
 */
import type { Link, TargetRow } from '../../../src/content/plan/model/links.ts';
import type { WriteOp, WritePlan } from '../../../src/content/plan/model/write-plan.ts';
import type { Current, PresentLink, Version, WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import { planWrite } from '../../../src/content/plan/write/plan-write.ts';
import type { Stored } from '../../../src/schema/fields.ts';
import type { ColumnAttribute, ContentType, LinkAttribute } from '../../../src/schema/model.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { refusal } from './support.ts';

const localized = { pluginOptions: { i18n: { localized: true } } };
const CARD = { type: 'component', component: 'parts.card' };
const ATTRIBUTES = {
  title: { type: 'string', ...localized },
  code: { type: 'string', unique: true },
  card: CARD,
  cover: { type: 'media', multiple: false },
  tags: { ...relation('manyToMany', 'tag'), ...localized },
  topics: { ...relation('manyToMany', 'topic'), ...localized },
  tag: { ...relation('manyToOne', 'tag'), ...localized },
};

/** The plain kinds are note and home, those with drafts story, with locales place and front, with both page. */
export const registry = registryOf(
  [
    contentType('note', { ...ATTRIBUTES, rank: { type: 'integer', unique: true, default: 1 } }),
    contentType('home', ATTRIBUTES, { single: true }),
    contentType('story', ATTRIBUTES, { drafts: true }),
    contentType('place', ATTRIBUTES, { localized: true }),
    contentType('front', ATTRIBUTES, { localized: true, single: true }),
    contentType('page', ATTRIBUTES, { drafts: true, localized: true }),
    contentType('tag', { title: { type: 'string' } }),
    contentType('topic', { title: { type: 'string' } }, { drafts: true }),
    contentType('region', { title: { type: 'string' } }, { localized: true }),
    contentType('bound', {
      title: { type: 'string' },
      owner: { ...relation('manyToOne', 'tag'), required: true },
      owners: { ...relation('manyToMany', 'tag'), required: true },
    }),
    contentType(
      'issue',
      {
        title: { type: 'string' },
        owner: { ...relation('manyToOne', 'topic'), required: true },
        topics: { ...relation('manyToMany', 'topic'), required: true },
        tags: { ...relation('manyToMany', 'tag'), required: true },
        special: {
          ...relation('manyToOne', 'tag'),
          ...{ required: true, conditions: { visible: { '==': [{ var: 'title' }, 'special'] } } },
        },
        part: { type: 'component', component: 'parts.bound' },
      },
      { drafts: true },
    ),
    contentType('gallery', { photos: { type: 'media', multiple: true } }, { localized: true }),
    contentType('coded', { body: { type: 'text' }, part: { type: 'component', component: 'parts.coded' } }),
    contentType(
      'city',
      {
        kind: { type: 'string' },
        extra: {
          type: 'string',
          required: true,
          ...localized,
          conditions: { visible: { '==': [{ var: 'kind' }, 'k'] } },
        },
      },
      { localized: true },
    ),
    contentType(
      'chart',
      { owner: { ...relation('manyToOne', 'tag'), required: true, ...localized } },
      { drafts: true, localized: true },
    ),
    contentType(
      'map',
      { title: { type: 'string', ...localized }, cover: { type: 'media', multiple: false, required: true } },
      { drafts: true, localized: true },
    ),
    contentType(
      'atlas',
      {
        parts: { type: 'component', component: 'parts.linked', repeatable: true },
        own: { type: 'component', component: 'parts.linked', ...localized },
      },
      { localized: true },
    ),
  ],
  [
    component('parts.card', {
      label: { type: 'string' },
      code: { type: 'string', unique: true },
      topic: relation('oneToOne', 'topic'),
    }),
    component('parts.coded', { serial: { type: 'string', unique: true, default: 's' } }),
    component('parts.bound', {
      owner: { ...relation('oneToOne', 'topic'), required: true },
      owners: { ...relation('manyToMany', 'topic'), required: true },
    }),
    component('parts.linked', {
      region: relation('oneToOne', 'region'),
      inner: { type: 'component', component: 'parts.inner' },
    }),
    component('parts.inner', { tag: relation('oneToOne', 'tag') }),
  ],
);

export const typeNamed = (name: string) => registry.contentTypes.get(`api::${name}.${name}`) as ContentType;
export const attributeOf = (name: string, attribute: string) =>
  typeNamed(name).attributes.get(attribute) as LinkAttribute;

/** An update that publishes, unless something else is said. */
export const requestOf = (name: string, data: object = {}, more: Partial<WriteRequest> = {}): WriteRequest => ({
  ...{ strictRelations: true, allIssues: false, emptySetClears: false, registry, type: typeNamed(name) },
  ...{ document: { kind: 'named', documentId: 'd' }, documentId: 'd', defaultLocale: 'en' },
  ...{ locale: typeNamed(name).localized ? 'fr' : '', status: 'published', operation: 'update', data: data as never },
  ...more,
});

/** A row with these values, in the version that a write changes. */
export function versionOf(
  name: string,
  values: Readonly<Record<string, Stored>> = {},
  more: Partial<Version> = {},
): Version {
  const type = typeNamed(name);
  return {
    ...{ documentId: 'd', locale: type.localized ? 'fr' : '', status: type.draftAndPublish ? 'draft' : 'published' },
    values: new Map(Object.entries(values).map(([key, value]) => [type.attributes.get(key) as ColumnAttribute, value])),
    ...{ updatedAt: 1, isPublished: false },
    ...more,
  };
}

export const target = (documentId: string, id: number, more: Partial<TargetRow> = {}): TargetRow => ({
  ...{ id, documentId, locale: '', published: true },
  ...more,
});

export const present = (documentId: string, position: number, more: Partial<PresentLink> = {}): PresentLink => ({
  ...{ documentId, locale: '', published: true, status: 'draft', position },
  ...more,
});

/** Tags a, b and topics t (published), u (a draft) exist. */
export const currentOf = (more: Partial<Current> = {}): Current => ({
  ...{ taken: new Set(), takenAt: new Map(), equalEnds: new Set(), innerTargets: new Map() },
  targets: new Map([
    ['api::tag.tag', [target('a', 1), target('b', 2)]],
    ['api::topic.topic', [target('t', 3, { published: false }), target('t', 4), target('u', 5, { published: false })]],
    ['plugin::upload.file', [target('f', 6), target('g', 7)]],
  ]),
  ...{ links: new Map(), originalLinks: new Map(), sourceLinks: new Map() },
  ...more,
});

let id = 100;
export const writeContext = { time: 5, nextId: () => id++, hashPassword: (password: string) => password };

function printOp(op: WriteOp): string {
  switch (op.kind) {
    case 'insert':
    case 'update':
    case 'share':
      return `${op.kind} ${op.row.status}`;
    case 'inherit':
      return `inherit ${op.from.locale}: ${op.tables.map(({ name }) => name).join(' ')}`;
    case 'link':
      return `link ${op.tables[0].name} ${op.status}`;
    default:
      return op.kind;
  }
}

export const printPlan = (plan: WritePlan): readonly string[] => plan.map(printOp);
export const printLinks = (links: readonly Link[]): string => links.map(({ documentId }) => documentId).join(' ');

/** Plans a write to one of these content types. */
export const planOf = (name: string, data: object, more: Partial<WriteRequest>, current: Partial<Current>) =>
  planWrite(requestOf(name, data, more), currentOf(current), writeContext);
/** The row that is written, and whose values it takes over. */
export const row = (...of: Parameters<typeof versionOf>): Partial<Current> => ({
  row: versionOf(...of),
  source: versionOf(...of),
});

/** Returns why a write is rejected: of each error path, message and value. */
export const errorsOf = (...of: Parameters<typeof planOf>) => {
  const { message, details = {} } = refusal(() => planOf(...of));
  const { errors = [] } = details as { errors?: readonly { path: string[]; message: string; value?: unknown }[] };
  return { message, errors: errors.map((each) => [each.path.join('.'), each.message, each.value]) };
};
