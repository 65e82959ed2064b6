/**
 * @module `test` with a `studio`: a new browser context on the server of all tests. Whatever a page complains about fails
 * the test: violations of its policy, errors of scripts, errors on the console.
 */
import { test as base, expect, inject } from 'vitest';
import { axeSource, type Browser, type BrowserContext, chromium, type Page } from '../clients/browser.ts';
import { readLate } from '../support/late-value.ts';
import type { Stage } from './global-setup.ts';
import type { Role } from './settings.ts';
import { type Account, signIn } from './sign-in.ts';

const stage = await readLate<Stage>(inject('stage'));
/** Origin of the server. */
export const serverUrl: string = stage.url;
const PASSWORD = 'a long secret';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers without types.
type Json = any;

let values = 0;

/** A text that no other test has: `night` → `night-x1-7`. */
export function unique(text: string): string {
  values += 1;
  return `${text}-${process.pid.toString(36)}${Date.now().toString(36)}-${values}`;
}

/**
 * Sends a request with the full-access token.
 * @returns the body as JSON; null without one
 * @throws Error that begins with the status, for 400 and above
 */
export async function api(method: string, path: string, body?: unknown, token = stage.token): Promise<Json> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${stage.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${method} ${path}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** Makes a user with this role, and signs in. */
export async function accountOf(role: Role, username: string = unique(role)): Promise<Account> {
  const { roles } = await api('GET', '/api/users-permissions/roles');
  const { id } = roles.find(({ type, name }: Json) => type === role || name === role);
  const email = `${username.toLowerCase().replaceAll(' ', '.')}@example.com`;
  const body = { username, email, password: PASSWORD, role: id, confirmed: true };
  await api('POST', '/api/users', body);
  const { jwt, refreshToken, user } = await api('POST', '/api/auth/local', {
    identifier: username,
    password: PASSWORD,
  });
  return { documentId: user.documentId, username, password: PASSWORD, jwt, refreshToken };
}

/** Reports what a page must not do. Runs in the page, before its scripts. */
function watchPolicy(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    console.error(`CSP: ${violatedDirective} ${blockedURI} ${sourceFile}`),
  );
}

/** The API may refuse what a screen asks for; anything else that fails is a mistake. */
const REFUSED = /status of 4\d\d .*\(http:\/\/[^/]+\/(api\/|openapi\.json)/;

class Studio {
  readonly page: Page;
  /** The folder of the project that is served. */
  readonly folder: string = stage.folder;
  /** With full access. */
  readonly token: string = stage.token;
  /** Origin of the server. */
  readonly url: string;
  /** Origin of the site that shows documents. */
  readonly site: string = stage.site;
  /** What the page has complained about. */
  readonly problems: string[] = [];
  readonly #context: BrowserContext;
  readonly #allowed: RegExp[] = [REFUSED];

  constructor(context: BrowserContext, page: Page, url: string) {
    this.#context = context;
    this.page = page;
    this.url = url;
    context.on('console', (message) => {
      if (message.type() === 'error') this.#complain(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#complain(error.error().stack ?? String(error.error())));
  }

  #complain(text: string): void {
    if (!this.#allowed.some((pattern) => pattern.test(text))) this.problems.push(text);
  }

  /** Takes complaints that match as right from now on. Refusals of the API, with a status of 400 to 499, are right anyway. */
  allow(pattern: RegExp): void {
    this.#allowed.push(pattern);
  }

  /** Signs in pages that are opened later, by token or account; by default with full access. */
  async signIn(credential: string | Account = stage.token): Promise<void> {
    await signIn(this.#context, credential);
  }

  /** Opens a screen by its hash, such as `#/content/articles`, and waits until nothing is loading. */
  async open(hash = '#/'): Promise<Page> {
    await this.page.goto(`${this.url}/studio/${hash}`);
    await this.page.locator('#root > *').first().waitFor();
    await this.page.waitForLoadState('networkidle');
    return this.page;
  }

  /** Opens a screen in another tab of the same browser, which has nothing of the first one but what they share. */
  async newTab(hash: string): Promise<Page> {
    const tab = await this.#context.newPage();
    await tab.goto(`${this.url}/studio/${hash}`);
    return tab;
  }

  /** Returns the link with a code in the newest message to an address. */
  async linkTo(email: string): Promise<string> {
    const find = async () => {
      const messages: string[] = await (await fetch(`${this.site}/mail`)).json();
      return /http\S+?code=[0-9a-f]+/.exec(messages.findLast((message) => message.includes(email)) ?? '')?.[0];
    };
    await expect.poll(find).toBeDefined();
    return (await find()) ?? '';
  }

  /** Returns the findings of axe in the page as it is, of any level: `rule: elements`. */
  async axe(): Promise<readonly string[]> {
    await this.page.evaluate(axeSource());
    // The guards of Base UI pass the focus on at once.
    const { violations } = await this.page.evaluate<Json>(
      'axe.run({ exclude: ["[data-base-ui-focus-guard]"] }, { resultTypes: ["violations"] })',
    );
    return violations.map(
      ({ id, nodes }: Json) => `${id}: ${nodes.map(({ target }: Json) => target.join(' ')).join(', ')}`,
    );
  }
}

export type { Account, Studio };

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Of a phone. */
  readonly isTouch?: boolean;
  /** Language of the browser. */
  readonly locale?: string;
  /** What the browser calls the server. */
  readonly origin?: string | undefined;
}

interface Fixtures {
  /** Not signed in. */
  readonly studio: Studio;
  /** Opens another browser context: somebody else, or another look. */
  readonly another: (look?: Look) => Promise<Studio>;
}

let connected: Promise<Browser> | undefined;

function browser(): Promise<Browser> {
  connected ??= chromium.connect(stage.browser ?? '');
  return connected;
}

async function openContext(look: Look = {}) {
  const { width = 1280, height = 860, dark = false, isTouch = false, locale = 'en-US', origin = stage.url } = look;
  const colorScheme = dark ? 'dark' : 'light';
  const context = await (await browser()).newContext({
    viewport: { width, height },
    colorScheme,
    locale,
    hasTouch: isTouch,
    isMobile: isTouch,
  });
  context.setDefaultTimeout(60_000);
  await context.addInitScript(watchPolicy);
  return { context, studio: new Studio(context, await context.newPage(), origin) };
}

export const test = base.extend<Fixtures>({
  another: async ({ skip }, use) => {
    if (stage.missing !== undefined) skip(stage.missing);
    const opened: Awaited<ReturnType<typeof openContext>>[] = [];
    await use(async (look) => {
      const next = await openContext(look);
      opened.push(next);
      return next.studio;
    });
    for (const { context } of opened) await context.close();
    const problems = opened.flatMap(({ studio }) => studio.problems);
    if (problems.length > 0) throw new Error(`The page complained:\n${problems.join('\n')}`);
  },
  studio: async ({ another }, use) => use(await another()),
});
