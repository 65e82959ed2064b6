import cloudflare from '@astrojs/cloudflare';
import { defineConfig, envField } from 'astro/config';

// Pages are rendered on request, so that what is published is there at once.
export default defineConfig({
  output: 'server',
  adapter: cloudflare({ imageService: 'passthrough' }),
  session: false,
  devToolbar: { enabled: false },
  server: { host: '127.0.0.1', port: 4321 },
  env: {
    schema: {
      // The origin of the API. A build takes that of the environment, or of `.env`.
      API_URL: envField.string({ context: 'server', access: 'public', default: 'http://127.0.0.1:8787' }),
    },
  },
});
