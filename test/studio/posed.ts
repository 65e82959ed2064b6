/**
 * @module What pictures of the documentation show is the same with each run: the origin, the times and the ids.
 */
import { createHash } from 'node:crypto';
import type { Page } from '../clients/browser.ts';
import { api, serverUrl } from './fixture.ts';

export const ORIGIN = 'https://recipes.example.com';
const NOW = Date.parse('2026-10-05T09:00:00.000Z');
/** Milliseconds between two writes. */
const STEP = 7 * 60_000;

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const ID = /\b[a-z0-9]{24}\b/g;

export interface Pose {
  /** Returns the id that pages show for a document. */
  readonly idOf: (documentId: string) => string;
  /** Opens `ORIGIN` in this page as the server of the tests, at a fixed time. */
  readonly hold: (page: Page) => Promise<void>;
  /** Replaces how long a request took. */
  readonly adjust: (page: Page) => Promise<void>;
}

/** Writes that follow are not posed. */
export async function makePose(): Promise<Pose> {
  const { data } = await api('GET', '/api/history?pagination[limit]=100');
  const written: readonly { readonly at: string; readonly documentId: string }[] = data.toReversed();
  const times = [...new Set(written.map(({ at }) => at))];
  const shown = new Map(
    [...new Set(written.map(({ documentId }) => documentId))].map((id, index) => [
      id,
      createHash('sha256').update(String(index)).digest('hex').slice(0, 24),
    ]),
  );
  const real = new Map([...shown].map(([id, fake]) => [fake, id]));
  const named = (ids: ReadonlyMap<string, string>, text: string) => text.replaceAll(ID, (id) => ids.get(id) ?? id);
  const timed = (text: string) =>
    text.replaceAll(ISO_TIME, (time) => {
      const later = times.filter((other) => other > time).length;
      return new Date(NOW - (later + 1) * STEP).toISOString();
    });
  return {
    idOf: (id) => named(shown, id),
    async hold(page) {
      await page.clock.setFixedTime(NOW);
      await page.route(`${ORIGIN}/**`, async (route) => {
        const response = await route.fetch({ url: named(real, route.request().url().replace(ORIGIN, serverUrl)) });
        const isJson = response.headers()['content-type']?.includes('json');
        await route.fulfill({ response, ...(isJson && { body: timed(named(shown, await response.text())) }) });
      });
    },
    adjust: (page) =>
      page.evaluate(() => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const { currentNode: node } = texts;
          if (node.nextSibling?.nodeValue?.startsWith(' ms')) node.nodeValue = '12';
        }
      }),
  };
}
