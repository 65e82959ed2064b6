/**
 * @module Resolves the imports between the modules of drizzle-orm. Node reads its package.json, which has 179 KB, again for
 * each of its 239 modules, and that takes longer than all else that most commands do.
 */
import module from 'node:module';

const FOLDER = '/node_modules/drizzle-orm/';

module.registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !parentURL.includes(FOLDER)) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
  },
});
