/**
 * @module Two people, each with two tabs, write one document in two locales, of which one is not there at first: they type, save, come back, leave, load
 * again, sign out and in, also one in the tab of the other. Whatever order chance chooses, nothing that was typed is lost.
 */
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { diceOf } from '../support/dice.ts';
import { seedOf } from '../support/seed.ts';
import { type Account, accountOf, api, type Studio, test, unique } from './fixture.ts';

const STEPS = Number(process.env.EDGEWISE_WALK ?? 80);

const LOCALES = ['en', 'fr'] as const;
type Locale = (typeof LOCALES)[number];

/** Attributes of texts without a limit that matters, in inputs and in editors of their own. */
const FIELDS = ['subtitle', 'body', 'content'] as const;
type Field = (typeof FIELDS)[number];

/** A word that was typed, by whom, and where. */
interface Typed {
  readonly word: string;
  readonly owner: Account;
  readonly locale: Locale;
  readonly field: Field;
}

interface Stored {
  readonly id: string;
}

const storedText = async ({ id }: Stored, locale: Locale): Promise<string> => {
  const found = await api('GET', `/api/articles/${id}?status=draft&locale=${locale}`).catch(() => ({ data: null }));
  return JSON.stringify(found.data);
};

class Tab {
  readonly page: Page;
  readonly name: string;
  readonly #stored: Stored;
  readonly typed: Typed[] = [];
  readonly #dropped: (readonly [Field, string])[] = [];
  /** Number of questions that were answered. */
  #answered = 0;
  owner: Account;
  locale: Locale = 'en';

  constructor(page: Page, name: string, owner: Account, stored: Stored) {
    this.page = page;
    this.name = name;
    this.owner = owner;
    this.#stored = stored;
  }

  #place = (field: Field) => this.page.locator(`[data-path=${field}]`).first();
  #input = (field: Field) => this.#place(field).locator(':is(input, [contenteditable=true])').first();
  #meeting = () => this.page.getByRole('dialog', { name: 'Saved by someone else meanwhile' });

  async #text(field: Field): Promise<string> {
    return this.#input(field).evaluate((element) =>
      element instanceof HTMLInputElement ? element.value : element.textContent,
    );
  }

  /** Takes what another user saved, whenever Studio asks, and notes the own words that go with it. */
  async answerMeetings(): Promise<void> {
    await this.page.addLocatorHandler(this.#meeting(), async () => {
      // What was typed as the question came is asked about again.
      // So is what the next save has met while the question was open.
      while (await this.#meeting().isVisible()) await this.#answer().catch(() => undefined);
    });
  }

  async #answer(): Promise<void> {
    const dropped: (readonly [Field, string])[] = [];
    for (const clash of await this.#meeting().locator('fieldset').all()) {
      const field = ((await clash.locator('legend').textContent({ timeout: 5000 })) ?? '').toLowerCase() as Field;
      const mine = await clash.getByText('Yours').locator('xpath=..').allTextContents();
      const theirs = await clash.getByText('Saved meanwhile').locator('xpath=..').textContent({ timeout: 5000 });
      const words = mine.join().match(/w\d+x/g) ?? [];
      dropped.push(...words.filter((word) => !theirs?.includes(word)).map((word) => [field, word] as const));
      await clash.getByLabel('Saved meanwhile').check({ timeout: 5000 });
    }
    await this.#meeting().getByRole('button', { name: 'Go on with these' }).click({ timeout: 5000 });
    this.#dropped.push(...dropped);
    this.#answered += 1;
  }

  /** Types again what was dropped. */
  async #meet(timeout = 60_000): Promise<void> {
    // A question is answered before the next action.
    await this.page.locator('.document-form, .sign-in').first().hover({ timeout });
    for (let next = this.#dropped.shift(); next; next = this.#dropped.shift()) {
      const [field, word] = next;
      await this.#append(field, word);
      // The next question may have come between the keys.
      if (!(await this.#text(field)).includes(word)) this.#dropped.push(next);
    }
  }

  async #append(field: Field, word: string): Promise<void> {
    await this.#input(field).click();
    await this.page.keyboard.press('Control+End');
    await this.page.keyboard.type(` ${word}`);
  }

  async type(field: Field, word: string): Promise<void> {
    await this.#meet();
    const answered = this.#answered;
    await this.#append(field, word);
    // Read once: a question that comes later drops the word, and notes it. One that is there is answered first.
    const text = await this.#text(field);
    // The question may have come between the keys, which it gets then.
    if (!text.includes(word) && ((await this.#meeting().isVisible()) || this.#answered > answered)) return;
    expect(text, `${this.name} ${field}`).toContain(word);
    this.typed.push({ word, owner: this.owner, locale: this.locale, field });
  }

  async save(): Promise<void> {
    await this.#meet();
    await this.page.keyboard.press('Control+s');
  }

  /** Comes back to the tab, which reads again unless it has done so within a second. */
  async comeBack(): Promise<void> {
    const read = this.page.waitForResponse(/api\/articles\//, { timeout: 2000 }).catch(() => undefined);
    await this.page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await read;
  }

  async #form(): Promise<void> {
    await this.#input('subtitle').waitFor();
    await this.#input('body').waitFor();
    await this.#input('content').waitFor();
  }

  async go(locale: Locale): Promise<void> {
    const button = (name: string) => this.page.getByRole('button', { name, exact: true });
    const select = this.page.getByLabel('Locale', { exact: true });
    // The address changes before the form does, and the list while it is asked.
    const isThere = async () =>
      this.page.url().includes(`locale=${locale}`) && (await select.inputValue({ timeout: 2000 })) === locale;
    const arrive = async () => {
      if (await button('Leave and keep').isVisible()) {
        await button('Leave and keep').hover({ timeout: 2000 });
        // A save that failed meanwhile has asked: its words belong to the locale that is left.
        await button(this.#dropped.length > 0 ? 'Keep editing' : 'Leave and keep').click({ timeout: 2000 });
      } else if (!(await isThere())) {
        // The question whether to leave may come a moment later.
        await this.#meet(2000);
        await select.selectOption(locale);
      }
      return isThere();
    };
    await expect.poll(arrive).toBe(true);
    this.locale = locale;
    await this.#form();
  }

  async reload(): Promise<void> {
    await this.#meet();
    await this.page.reload();
    await this.#form();
  }

  async signOut(): Promise<void> {
    await this.#meet();
    await this.page.getByRole('button', { name: 'Sign out' }).click();
  }

  async signIn(owner: Account): Promise<void> {
    await this.page.getByLabel('User name or e-mail address').fill(owner.username);
    await this.page.getByLabel('Password').fill(owner.password);
    await this.page.keyboard.press('Enter');
    this.owner = owner;
    await this.#form();
  }

  /** Saves what this tab has of everybody in every locale. */
  async saveAll(): Promise<void> {
    for (const owner of new Set(this.typed.map((each) => each.owner))) {
      if (owner !== this.owner) {
        await this.signOut();
        await this.signIn(owner);
      }
      for (const locale of LOCALES) {
        if (!this.typed.some((each) => each.owner === owner && each.locale === locale)) continue;
        if (locale !== this.locale) await this.go(locale);
        await this.saveHere();
      }
    }
  }

  /** Saves until all words are stored that this person has typed here. */
  async saveHere(): Promise<void> {
    const words = this.typed.filter(({ owner, locale }) => owner === this.owner && locale === this.locale);
    const missing = async () => {
      await this.save();
      const text = await storedText(this.#stored, this.locale);
      return words.filter(({ word }) => !text.includes(word)).map(({ word }) => word);
    };
    await expect.poll(missing, { message: `${this.name} ${this.locale}` }).toEqual([]);
  }
}

async function tabsOf(studio: Studio, owner: Account, name: string, stored: Stored): Promise<readonly Tab[]> {
  const hash = `#/content/articles/${stored.id}?locale=en`;
  const pages = [await studio.open(hash), await studio.newTab(hash)];
  const tabs = pages.map((page, index) => new Tab(page, `${name} ${index + 1}`, owner, stored));
  for (const tab of tabs) {
    await tab.answerMeetings();
    await tab.signIn(owner);
  }
  return tabs;
}

describe('two people with two tabs each', () => {
  test('lose nothing that they type, whatever they do', { timeout: STEPS * 10_000 }, async ({ another }) => {
    const seed = seedOf('Two people');
    const dice = diceOf(seed);
    const oneOf = <T>(all: readonly T[]): T => all[dice.below(all.length)] as T;
    const { data } = await api('POST', '/api/articles?status=draft', {
      data: { title: unique('Walk'), body: 'Start' },
    });
    const stored = { id: data.documentId };
    const people = [await accountOf('editor'), await accountOf('editor')];
    const tabs = [
      ...(await tabsOf(await another(), people[0] as Account, 'Ann', stored)),
      ...(await tabsOf(await another(), people[1] as Account, 'Ben', stored)),
    ];
    const steps: string[] = [];
    let words = 0;
    for (let step = 0; step < STEPS; step += 1) {
      const tab = oneOf(tabs);
      const act = dice.below(100);
      /** Mostly where one has typed before, whose editor has the focus still. */
      const type = async (by = tab, field = by.typed.at(-1)?.field) => {
        words += 1;
        await by.type(field && !dice.once(4) ? field : oneOf(FIELDS), `w${words}x`);
      };
      steps.push(`${tab.name} ${tab.locale} ${act}`);
      if (act < 25) await type();
      else if (act < 45) await tab.save();
      else if (act < 55) {
        await tab.save();
        await type();
      } else if (act < 60) await tab.comeBack();
      else if (act < 72) {
        await type();
        await tab.saveHere();
        const others = tabs.filter((other) => other !== tab && other.locale === tab.locale);
        for (const other of others) {
          await type(other, tab.typed.at(-1)?.field);
          await other.saveHere();
        }
        await tab.comeBack();
        await type();
        await tab.save();
      } else if (act < 82) {
        await tab.comeBack();
        await type();
        await tab.save();
      } else if (act < 90) await tab.go(oneOf(LOCALES.filter((locale) => locale !== tab.locale)));
      else if (act < 94) await tab.reload();
      else {
        await tab.signOut();
        await tab.signIn(oneOf(people));
      }
    }
    for (const tab of tabs) await tab.saveAll();
    for (const locale of LOCALES) {
      const text = await storedText(stored, locale);
      const typed = tabs.flatMap((tab) => tab.typed).filter((each) => each.locale === locale);
      const lost = typed.filter(({ word }) => !text.includes(word)).map(({ word, field }) => `${field} ${word}`);
      expect(lost, `seed ${seed}, ${locale}:\n${steps.join('\n')}`).toEqual([]);
    }
  });
});
