import { defineConfig } from 'edgewise';

export default defineConfig({
  i18n: {
    locales: [
      { code: 'en', name: 'English (en)', isDefault: true },
      { code: 'fr', name: 'French (fr)', fallback: ['en'] },
    ],
  },
  api: { rest: { deepPopulate: true } },
  roles: {
    public: [
      'api::article.article.find',
      'api::article.article.findOne',
      'api::author.author.find',
      'api::author.author.findOne',
      'api::category.category.find',
      'api::category.category.findOne',
      'api::homepage.homepage.find',
      'plugin::i18n.locales.listLocales',
    ],
    // Content, its drafts and its history, files and previews, and the own account; no other users.
    editor: [
      'api::*',
      'plugin::upload.*',
      'plugin::users-permissions.user.me',
      'plugin::users-permissions.user.updateMe',
      'plugin::users-permissions.identity.*',
      'plugin::users-permissions.auth.changePassword',
      'plugin::users-permissions.auth.logout',
    ],
  },
  indexes: { 'api::article.article': [['rating:desc'], ['issueDate:desc']] },
  search: { 'api::article.article': { title: 4, summary: 2, body: 1 } },
  populates: {
    'api::article.article': {
      card: { fields: ['title', 'slug'], populate: { cover: true, author: { populate: '@byline' } } },
    },
    'api::author.author': { byline: { fields: ['name'], populate: 'avatar' } },
  },
  upload: { widths: true },
  history: true,
  mcp: true,
});
