import type { NextConfig } from 'next';
import { API_URL } from './lib/addresses.ts';

export default {
  poweredByHeader: false,
  experimental: { globalNotFound: true },
  // Studio shows previews in a frame.
  headers: async () => [
    { source: '/:path*', headers: [{ key: 'content-security-policy', value: `frame-ancestors 'self' ${API_URL}` }] },
  ],
} satisfies NextConfig;
