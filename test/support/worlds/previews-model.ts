/**
 * @module A content model with previews: stories that lead to drafts of other stories and people, and to what the public role
 * may not find.
 */
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { TWO_LOCALES } from '../locales.ts';
import { contentType, registryOf } from '../schema-files.ts';

const USERS = 'plugin::users-permissions.user';
const to = (target: string, relation = 'manyToOne', rest: object = {}) => ({
  type: 'relation',
  relation,
  target,
  ...rest,
});
const localized = { pluginOptions: { i18n: { localized: true } } };

export const previewRegistry = registryOf([
  contentType(
    'story',
    {
      title: { type: 'string', ...localized },
      slug: { type: 'string', ...localized },
      rating: { type: 'integer' },
      secret: { type: 'string', private: true },
      owner: to(USERS),
      author: to('api::person.person', 'manyToOne', { inversedBy: 'stories' }),
      topic: to('api::topic.topic'),
      dossier: to('api::dossier.dossier'),
      sequel: to('api::story.story', 'oneToOne'),
    },
    { drafts: true, localized: true, plural: 'stories' },
  ),
  contentType(
    'person',
    { name: { type: 'string' }, stories: to('api::story.story', 'oneToMany', { mappedBy: 'author' }) },
    { drafts: true, plural: 'people' },
  ),
  contentType('topic', { name: { type: 'string' } }, { drafts: true }),
  contentType('dossier', { name: { type: 'string' }, facts: { type: 'json' } }),
  contentType('front', { heading: { type: 'string' } }, { single: true, drafts: true }),
]);

export const id = (name: string, ...actions: string[]): string[] =>
  actions.map((action) => `api::${name}.${name}.${action}`);

/** Authors make previews of their own stories. */
export const PREVIEWS = {
  ...TWO_LOCALES,
  roles: {
    public: ['story', 'person', 'topic'].flatMap((name) => id(name, 'find', 'findOne')),
    authenticated: [
      { action: id('story', 'find', 'findOne', 'previewLink'), where: { owner: '$user' } },
      ...id('story', 'readDrafts'),
    ],
  },
  preview: {
    'api::story.story': {
      url: 'https://site.example/preview?slug={slug}&locale={locale}&status={status}&token={token}',
      populate: ['api::person.person'],
    },
    'api::front.front': { url: 'https://site.example/?token={token}' },
    'api::dossier.dossier': { url: 'https://site.example/{name}/{documentId}?token={token}' },
  },
} satisfies SettingsInput;

export interface Link {
  readonly url: string;
  readonly token: string;
  readonly expiresAt: string;
}
