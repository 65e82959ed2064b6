/**
 * @module gatsby-source-strapi's own sourceNodes(), with the few functions of Gatsby's API that it calls.
 */

import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { exchanges, finish, must, op, token, url } from '../lib/checks.mjs';

const require = createRequire(import.meta.url);
const { sourceNodes } = require('gatsby-source-strapi/gatsby-node.js');
const kept = new Map();
const cache = { get: async (key) => kept.get(key), set: async (key, value) => kept.set(key, value) };
const nodes = new Map();
const api = {
  actions: {
    createNode: async (node) =>
      nodes.set(node.id, { ...node, internal: { ...node.internal, owner: 'gatsby-source-strapi' } }),
    deleteNode: (node) => nodes.delete(node.id),
    touchNode() {},
  },
  createContentDigest: (value) => createHash('md5').update(JSON.stringify(value)).digest('hex'),
  createNodeId: (text) => createHash('md5').update(String(text)).digest('hex'),
  reporter: {
    info() {},
    warn() {},
    panic(message, error) {
      throw new Error(
        `${message}: ${error?.response?.status} ${JSON.stringify(error?.response?.data ?? error?.message)}`,
      );
    },
  },
  getCache: () => cache,
  cache,
  store: { getState: () => ({ program: { directory: '.' } }) },
  getNodes: () => [...nodes.values()],
  getNode: (id) => nodes.get(id),
};
const config = (more = {}) => ({
  apiURL: url,
  accessToken: token,
  skipFileDownloads: true,
  collectionTypes: ['article', 'author', 'category'],
  singleTypes: ['homepage'],
  ...more,
});
const count = () =>
  JSON.stringify(
    Object.entries(Object.groupBy([...nodes.values()], (node) => node.internal.type))
      .map(([type, list]) => `${type} ${list.length}`)
      .slice(0, 8),
  );
await op('first run: content types, all documents', async () => {
  await sourceNodes(api, config());
  return count();
});
await op('second run: updatedAt filter in milliseconds', async () => {
  await sourceNodes(api, config());
  must(
    exchanges.some(({ url: path }) => /updatedAt/.test(path)),
    'no delta',
  );
});
await op('files and users (plugin types)', async () => {
  await sourceNodes(api, config({ collectionTypes: ['file', 'user'], singleTypes: [] }));
  return count();
});
await op('pages of 2, a locale, drafts by publicationState preview', async () => {
  await sourceNodes(
    api,
    config({
      collectionTypes: [
        { singularName: 'article', queryLimit: 2, queryParams: { publicationState: 'preview' } },
        { singularName: 'category', pluginOptions: { i18n: { locale: 'fr' } } },
      ],
      singleTypes: [],
    }),
  );
});
finish();
