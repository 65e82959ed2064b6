/**
 * @module The content types that chaos is about, and what the database itself records of it: triggers note each publication,
 * each schedule and each new document of a batch, in the transaction that makes it.
 */
import type { SchemaFiles } from '../../src/schema/build.ts';
import { parseSettings, type Settings } from '../../src/schema/settings/config.ts';
import { localesOf } from '../support/locales.ts';
import { contentType } from '../support/schema-files.ts';

const localized = { pluginOptions: { i18n: { localized: true } } };

const relation = (kind: string, target: string, more: object) => ({
  ...{ type: 'relation', relation: kind, target: `api::${target}.${target}` },
  ...more,
});

export const FILES: SchemaFiles = {
  contentTypes: [
    contentType(
      'story',
      {
        title: { type: 'string', required: true, ...localized },
        rank: { type: 'integer' },
        topics: relation('manyToMany', 'topic', { inversedBy: 'stories' }),
      },
      { drafts: true, localized: true, plural: 'stories' },
    ),
    contentType('topic', {
      name: { type: 'string' },
      stories: relation('manyToMany', 'story', { mappedBy: 'topics' }),
      leader: relation('oneToOne', 'note', { inversedBy: 'led' }),
      notes: relation('oneToMany', 'note', { mappedBy: 'topic' }),
    }),
    contentType('note', {
      batch: { type: 'string' },
      code: { type: 'string', unique: true },
      topic: relation('manyToOne', 'topic', { inversedBy: 'notes' }),
      led: relation('oneToOne', 'topic', { mappedBy: 'leader' }),
    }),
  ],
  components: [],
  overflow: {},
};

export const LOCALES = ['en', 'fr'] as const;

export const SETTINGS: Settings = parseSettings({
  i18n: localesOf(...LOCALES),
  rateLimit: { auth: { enabled: false } },
});

const trigger = (name: string, moment: string, values: string): string =>
  `create trigger "audit_${name}" after ${moment} begin insert into "audit" (event, subject, detail) values (${values}); end`;

const ENTRY = (row: string) => `${row}.document_id || '/' || ${row}.locale || '/' || ${row}.action`;

export const AUDIT: readonly string[] = [
  'create table "audit" (n integer primary key autoincrement, event text not null, subject text not null, detail text not null)',
  trigger(
    'publish_new',
    'insert on "stories" when new.published_at is not null',
    "'publish', new.document_id || '/' || new.locale, new.published_at",
  ),
  trigger(
    'publish',
    'update on "stories" when new.published_at is not null and new.published_at is not old.published_at',
    "'publish', new.document_id || '/' || new.locale, new.published_at",
  ),
  trigger(
    'unpublish',
    'delete on "stories" when old.published_at is not null',
    "'unpublish', old.document_id || '/' || old.locale, old.published_at",
  ),
  trigger('remove', 'delete on "stories" when old.published_at is null', "'remove', old.document_id, ''"),
  trigger('schedule', 'insert on "edgewise_scheduled"', `'schedule', new.id, ${ENTRY('new')}`),
  trigger('done', 'delete on "edgewise_scheduled"', `'done', old.id, ${ENTRY('old')}`),
  trigger('failed', 'update on "edgewise_scheduled" when new.error is not null', `'failed', new.id, new.error`),
  trigger('note', 'insert on "notes"', `'note', new.batch, new.code`),
];
