/**
 * @module The routes of sign-ins by a provider: to it, back from it, and for tokens of this server. Without `users.providers`
 * they are always rejected, as in a Strapi whose providers are disabled.
 */

export const PROVIDER_ROUTES = [
  { name: 'connect', method: 'GET', path: '/api/connect/:provider', action: 'auth.connect' },
  { name: 'return', method: 'GET', path: '/api/connect/:provider/callback', action: 'auth.connect' },
  { name: 'signIn', method: 'GET', path: '/api/auth/:provider/callback', action: 'auth.callback' },
] as const;
