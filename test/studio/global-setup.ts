/**
 * @module One server and one browser for all tests of Studio. Both start beside the first tests of other projects, and
 * whoever needs them waits.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../cli/core/local-server.ts';
import { bundleStudio } from '../../cli/studio/bundle-studio.ts';
import { installClients } from '../clients/install.ts';
import { PROJECT } from '../conformance/scratch.ts';
import { lateValue } from '../support/late-value.ts';
import { serveProject } from '../support/served-project.ts';
import { plantMany } from './plant.ts';
import { connectableAt, MODELS, mailAt, previewsAt, SETTINGS } from './settings.ts';
import { startSite } from './site.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A file with `Stage`, for `readLate`. */
    readonly stage: string;
  }
}

export interface Stage {
  /** Of the project that is served. */
  readonly folder: string;
  /** Origin of the server. */
  readonly url: string;
  /** Full access. */
  readonly token: string;
  /** Origin of a site that shows documents. */
  readonly site: string;
  /** Where the browser listens; absent: there is none. */
  readonly browser?: string;
  /** Why there is no browser. */
  readonly missing?: string;
}

const PRIVATE_BUCKET = `
[[r2_buckets]]
binding = "PRIVATE_MEDIA"
bucket_name = "private-media"
`;

async function start() {
  installClients();
  const { startBrowser } = await import('../clients/browser.ts');
  const browser = await startBrowser();
  const isMissing = 'missing' in browser;
  // The hooks of tests that are skipped need the server all the same.
  if (isMissing) process.stderr.write(`Studio is not tested: ${browser.missing}\n`);
  const close = async () => (isMissing ? undefined : browser.close());
  const site = await startSite();
  const preview = previewsAt(site.origin);
  try {
    await bundleStudio(PROJECT);
    const port = await freePort();
    const { folder, url, token, stop } = await serveProject(
      MODELS,
      { ...SETTINGS, ...connectableAt(`http://127.0.0.1:${port}`), preview, email: mailAt(site.origin) },
      (folder) => {
        plantMany(folder);
        appendFileSync(join(folder, 'wrangler.toml'), PRIVATE_BUCKET);
      },
      port,
    );
    site.connect(url);
    const shown = isMissing ? browser : { browser: browser.wsEndpoint() };
    const stage: Stage = { folder, url, token, site: site.origin, ...shown };
    return { stage, stop: () => Promise.all([close(), site.stop(), stop()]) };
  } catch (error) {
    site.stop();
    await close();
    throw error;
  }
}

export default function setup(project: TestProject): () => Promise<void> {
  const started = start();
  const { file, remove } = lateValue(started.then(({ stage }) => stage));
  project.provide('stage', file);
  return async () => {
    await remove();
    const running = await started.catch(() => undefined);
    await running?.stop();
  };
}
