/**
 * @module A site of recipes, from the first sign-in to what readers get: by mouse, by keyboard alone, and by touch on a
 * phone.
 */
import { describe, expect } from 'vitest';
import type { Locator, Page } from '../clients/browser.ts';
import { type Account, accountOf, api, type Look, type Studio, test, unique } from './fixture.ts';
import { byKeyboard, byMouse, byTouch, type Hands } from './hands.ts';
import { readPicture } from './recipes.ts';

/** As files that one chooses, with names that no other walk has. */
const picturesOf = (word: string) =>
  ['plum-tart', 'leek-soup', 'ida-holm'].map((name) => ({
    name: `${word}-${name}.webp`,
    mimeType: 'image/webp',
    buffer: readPicture(name),
  }));

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const place = (within: Page | Locator, path: string): Locator => within.locator(`[data-path="${path}"]`).first();
const field = (within: Page | Locator, path: string): Locator =>
  place(within, path).locator(':is(input:not([aria-hidden]), textarea, select, [contenteditable=true])').first();

class Walk {
  readonly page: Page;
  readonly #studio: Studio;
  readonly #hands: Hands;

  constructor(studio: Studio, hands: Hands) {
    this.#studio = studio;
    this.#hands = hands;
    this.page = studio.page;
  }

  press = (target: Locator): Promise<void> => this.#hands.press(target);

  type = (path: string, text: string, within: Page | Locator = this.page): Promise<void> =>
    this.#hands.type(field(within, path), text);

  choose = (path: string, option: string): Promise<void> => this.#hands.choose(field(this.page, path), option);

  async signIn({ username, password }: Account): Promise<void> {
    await this.#hands.type(this.page.getByLabel('User name or e-mail address'), username);
    await this.#hands.type(this.page.getByLabel('Password'), password);
    await this.press(button(this.page, 'Sign in'));
    await this.page.getByRole('heading', { name: 'Overview' }).waitFor();
  }

  /** Opens a screen by the navigation, which a phone folds. */
  async go(name: string): Promise<void> {
    const menu = button(this.page, 'Menu');
    if (await menu.isVisible()) await this.press(menu);
    await this.press(this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }));
    await this.page.getByRole('heading', { name, level: 1 }).waitFor();
  }

  async upload(files: ReturnType<typeof picturesOf>): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser');
    await this.press(button(this.page, 'Upload'));
    await (await chooser).setFiles(files);
    for (const { name } of files) await this.page.locator('button.file', { hasText: name }).waitFor();
  }

  /** Chooses files of the library for an attribute. */
  async pick(path: string, ...names: readonly string[]): Promise<void> {
    await this.press(
      place(this.page, path)
        .getByRole('button', { name: /^Choose/ })
        .first(),
    );
    await this.pickFiles(...names);
  }

  async pickFiles(...names: readonly string[]): Promise<void> {
    const dialog = this.page.getByRole('dialog').last();
    for (const name of names) await this.press(dialog.locator('button.file', { hasText: name }));
    await this.press(dialog.getByRole('button', { name: /^Choose( \d+ files)?$/ }));
    await dialog.waitFor({ state: 'detached' });
  }

  /** Searches a target of a relation. */
  async link(path: string, title: string): Promise<void> {
    await this.#hands.type(place(this.page, path).getByRole('combobox'), title);
    await this.press(this.page.getByRole('option', { name: title }));
    await place(this.page, path).getByRole('link', { name: title }).waitFor();
  }

  moveUp = (name: string, above: string): Promise<void> =>
    this.#hands.moveUp(button(this.page, `Move ${name}`), button(this.page, `Move ${above}`));

  /**
   * Presses a button of the document, and waits for the message about it.
   * @param mute pictures that Studio asks about, with their alternative texts
   */
  async finish(
    action: 'Save' | 'Publish',
    message: string,
    mute: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await this.press(button(this.page.getByRole('main'), action));
    const question = this.page.getByRole('dialog', { name: /no alternative text$/ });
    for (const [name, text] of Object.entries(mute)) await this.#hands.type(question.getByLabel(name), text);
    if (Object.keys(mute).length > 0) await this.press(button(question, 'Save and publish'));
    await this.page.locator('.toast', { hasText: message }).last().waitFor();
    await this.expectToFit();
  }

  async expectToFit(): Promise<void> {
    const [inner, outer] = await this.page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect({ at: this.page.url(), isWider: Number(inner) > Number(outer) }).toMatchObject({ isWider: false });
    expect(await this.#studio.axe()).toEqual([]);
  }
}

async function makeSite(studio: Studio, hands: Hands, account: Account) {
  const word = unique('plum');
  const [tart, soup, portrait] = picturesOf(word).map(({ name }) => name) as [string, string, string];
  const page = await studio.open();
  const walk = new Walk(studio, hands);
  await walk.signIn(account);

  await walk.go('Media');
  await walk.upload(picturesOf(word));

  await walk.go('Ingredients');
  await walk.press(page.getByRole('link', { name: 'New' }).first());
  await walk.type('name', `${word} flour`);
  await walk.choose('allergen', 'gluten');
  await walk.finish('Save', 'Created');

  await walk.go('Cooks');
  await walk.press(page.getByRole('link', { name: 'New' }).first());
  await walk.type('name', `${word} Ida`);
  await walk.type('bio', 'Bakes by the harbour.');
  await walk.pick('portrait', portrait);
  await walk.finish('Publish', 'Published', { [portrait]: 'Ida Holm' });

  await walk.go('Recipes');
  await walk.press(page.getByRole('link', { name: 'New' }).first());
  await walk.type('title', `${word} tart`);
  await walk.type('intro', 'Sour plums, short crust.');
  await walk.type('servings', '8');
  await walk.choose('course', 'dessert');
  await walk.press(page.getByRole('switch', { name: 'Vegetarian' }));
  await walk.type('testedOn', '09052026');
  await walk.link('cook', `${word} Ida`);
  await walk.pick('cover', tart);
  await walk.press(button(place(page, 'amounts'), 'Add entry'));
  await walk.link('amounts.0.ingredient', `${word} flour`);
  await walk.type('amounts.0.quantity', '250');
  await walk.press(button(place(page, 'amounts'), 'Add entry'));
  await walk.press(button(place(page, 'amounts.1.ingredient'), 'Create Ingredient'));
  const layer = page.getByRole('dialog', { name: 'New Ingredient' });
  await walk.type('name', `${word} plums`, layer);
  await walk.press(button(layer, 'Save'));
  await layer.waitFor({ state: 'detached' });
  await walk.type('amounts.1.quantity', '12');
  await walk.choose('amounts.1.unit', 'piece');
  for (const [index, text] of ['Bake for 40 minutes.', 'Rub the butter into the flour.'].entries()) {
    await walk.press(button(place(page, 'steps'), 'Add entry'));
    await walk.type(`steps.${index}.text`, text);
    await walk.press(page.locator(`[data-path="steps.${index}"] > summary`));
  }
  await walk.moveUp('Steps 2', 'Steps 1');
  await walk.press(button(page, 'Add Nutrition'));
  await walk.type('nutrition.kilocalories', '310');
  await walk.press(place(page, 'story').getByRole('button', { name: /^Kind of block/ }));
  await walk.press(page.getByRole('menuitem', { name: 'Heading 2' }));
  await hands.type(
    place(page, 'story').getByRole('textbox', { name: 'Story' }),
    'From the harbour\nIda makes it in September.',
  );
  await walk.type('serving', 'Cream');
  await walk.press(button(place(page, 'serving'), 'Bulleted list'));
  await walk.press(button(place(page, 'notes'), 'Add component'));
  await walk.press(page.getByRole('menuitem', { name: 'Tip' }));
  await walk.type('notes.0.heading', 'Too sour?');
  await walk.press(button(place(page, 'notes'), 'Add component'));
  await walk.press(page.getByRole('menuitem', { name: 'Gallery' }));
  await walk.pick('notes.1.pictures', soup, tart);
  await walk.finish('Save', 'Created');
  await walk.finish('Publish', 'Published', { [tart]: 'A tart', [soup]: 'A soup' });

  await hands.choose(page.getByLabel('Locale', { exact: true }), 'German (de) (new)');
  await page.getByText('There is nothing here yet in de').waitFor();
  await walk.type('title', `${word} Kuchen`);
  await hands.choose(page.getByLabel('Another locale beside'), 'English (en)');
  for (const path of ['amounts', 'notes']) await walk.press(button(place(page, path), 'Copy from en'));
  await walk.finish('Publish', 'Published');
  await walk.go('Recipes');
  await page
    .getByRole('row', { name: `${word} tart` })
    .getByText('Published')
    .waitFor();
  await walk.expectToFit();
  return { word, tart, soup, portrait };
}

const WAYS: readonly { readonly name: string; readonly look: Look; readonly hands: (page: Page) => Hands }[] = [
  { name: 'by mouse', look: {}, hands: byMouse },
  { name: 'by keyboard alone', look: { dark: true }, hands: byKeyboard },
  { name: 'by touch on 390 pixels', look: { width: 390, height: 844, isTouch: true }, hands: byTouch },
  { name: 'by keyboard alone on 390 pixels', look: { width: 390, height: 844, dark: true }, hands: byKeyboard },
];

describe('a site of recipes', () => {
  for (const { name, look, hands } of WAYS)
    test(`is made and published ${name}`, async ({ another }) => {
      const studio = await another(look);
      const { word, tart, soup, portrait } = await makeSite(studio, hands(studio.page), await accountOf('chef'));
      const paths = ['cover', 'cook.portrait', 'amounts.ingredient', 'steps', 'nutrition', 'notes.pictures'];
      const populate = paths.map((path, index) => `populate[${index}]=${path}`).join('&');
      const read = async (locale: string, title: string) =>
        (await api('GET', `/api/recipes?filters[title]=${title}&locale=${locale}&${populate}`)).data;
      const both = {
        ...{ servings: 8, course: 'dessert', vegetarian: true, testedOn: '2026-09-05', cover: { name: tart } },
        nutrition: { kilocalories: 310, protein: null },
        amounts: [
          { quantity: 250, unit: 'g', ingredient: { name: `${word} flour`, allergen: 'gluten' } },
          { quantity: 12, unit: 'piece', ingredient: { name: `${word} plums`, allergen: null } },
        ],
        notes: [
          { __component: 'notes.tip', heading: 'Too sour?' },
          { __component: 'notes.gallery', pictures: [{ name: soup }, { name: tart }] },
        ],
      };
      expect(await read('en', `${word} tart`)).toMatchObject([
        {
          ...both,
          ...{ slug: `${word}-tart`, intro: 'Sour plums, short crust.', serving: '- Cream' },
          cook: { name: `${word} Ida`, bio: 'Bakes by the harbour.', portrait: { name: portrait } },
          steps: [{ text: 'Rub the butter into the flour.' }, { text: 'Bake for 40 minutes.' }],
          story: [
            { type: 'heading', level: 2, children: [{ text: 'From the harbour' }] },
            { type: 'paragraph', children: [{ text: 'Ida makes it in September.' }] },
          ],
        },
      ]);
      expect(await read('de', `${word} Kuchen`)).toMatchObject([{ ...both, slug: `${word}-kuchen`, steps: [] }]);
    });
});
