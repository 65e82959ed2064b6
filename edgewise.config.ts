import { defineConfig } from './src/config.ts';

export default defineConfig({
  roles: {
    public: [
      'api::article.article.find',
      'api::article.article.findOne',
      'api::author.author.find',
      'api::author.author.findOne',
      'api::category.category.find',
      'api::category.category.findOne',
      'api::homepage.homepage.find',
    ],
  },
});
