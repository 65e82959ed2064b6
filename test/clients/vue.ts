/**
 * @module What the composables of `@nuxtjs/strapi` take from Vue.
 */
export const ref = <T>(value: T): { value: T } => ({ value });
