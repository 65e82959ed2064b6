/**
 * @module What Nuxt gives the composables of `@nuxtjs/strapi`: its runtime configuration, cookies and state.
 */
import { url } from './requests.ts';

export { useStrapiClient } from './node_modules/@nuxtjs/strapi/dist/runtime/composables/useStrapiClient.js';

const refs = new Map<string, { value: unknown }>();

function refOf(name: string): { value: unknown } {
  const ref = refs.get(name) ?? { value: null };
  refs.set(name, ref);
  return ref;
}

export const useCookie = (name: string) => refOf(`cookie ${name}`);
export const useState = (name: string) => refOf(`state ${name}`);
export const useNuxtApp = () => ({ hooks: { callHook: () => undefined } });
export const useRuntimeConfig = () => ({
  public: {
    strapi: { url, prefix: '/api', version: 'v5', cookieName: 'strapi_jwt', cookie: {}, auth: { populate: ['role'] } },
  },
});
