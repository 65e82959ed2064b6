/**
 * @module What a bundler does for ra-strapi: file names without their extension. And ra-strapi takes only fetchUtils from
 * react-admin, which has it from ra-core: that one is the real one.
 */
export async function resolve(name, context, next) {
  if (name === 'react-admin') return next('ra-core', context);
  if (name.startsWith('.') && !/\.\w+$/.test(name)) return next(`${name}.js`, context);
  return next(name, context);
}
