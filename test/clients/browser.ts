/**
 * @module The browser of tests, with the packages of this folder: Chromium from npm where that runs, or an installed Chrome.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

const UNPACKED = join(import.meta.dirname, 'node_modules/.chromium');
const UNPACK = `await (await import('@sparticuz/chromium')).default.executablePath()`;

/**
 * Unpacks Chromium once, in a folder of its own until all of it is there: the package takes the folder of temporary files,
 * where a run beside this one would start a half of it.
 */
async function unpacked(): Promise<string> {
  if (!existsSync(UNPACKED)) {
    const own = mkdtempSync(`${UNPACKED}-`);
    const options = { cwd: import.meta.dirname, env: { ...process.env, TMPDIR: own } };
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], options);
    try {
      renameSync(own, UNPACKED);
    } catch (error) {
      // Another run was first.
      rmSync(own, { recursive: true });
      if (!existsSync(UNPACKED)) throw error;
    }
  }
  return join(UNPACKED, 'chromium');
}

const ARGS = ['--no-sandbox', '--disable-gpu'];

/** Ways to start a browser, the best first. `CHROME_PATH` is an executable to take in place of all others. */
async function candidates(): Promise<readonly LaunchOptions[]> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) return [{ executablePath: CHROME_PATH }];
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  return [...(isPackaged ? [{ executablePath: await unpacked() }] : []), { channel: 'chrome' }];
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
