/**
 * @module The browser of tests, with the packages of this folder: Chromium from npm where that runs, or an installed Chrome.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import packaged from '@sparticuz/chromium';
import { type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

export {
  type Browser,
  type BrowserContext,
  type BrowserServer,
  chromium,
  type Locator,
  type Page,
  type Request,
  type Response,
} from 'playwright-core';

const ARGS = ['--no-sandbox', '--disable-gpu'];

/** Ways to start a browser, the best first. `CHROME_PATH` is an executable to take in place of all others. */
async function candidates(): Promise<readonly LaunchOptions[]> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) return [{ executablePath: CHROME_PATH }];
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  return [...(isPackaged ? [{ executablePath: await packaged.executablePath() }] : []), { channel: 'chrome' }];
}

/** Returns a browser for all tests, or why there is none. */
export async function startBrowser(): Promise<BrowserServer | { readonly missing: string }> {
  const failures: string[] = [];
  for (const options of await candidates()) {
    try {
      return await chromium.launchServer({ ...options, args: ARGS });
    } catch (error) {
      failures.push(String(error).split('\n')[0] ?? '');
    }
  }
  return { missing: `no browser starts here; install Chrome, or set CHROME_PATH (${failures.join('; ')})` };
}

/** The code of axe-core, for a page to run. */
export const axeSource = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
