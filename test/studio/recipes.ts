/**
 * @module The content of the site of recipes, as its cooks may have it after some weeks.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { api } from './fixture.ts';

const PICTURES = join(import.meta.dirname, 'recipes/pictures');

export const readPicture = (name: string) => readFileSync(join(PICTURES, `${name}.webp`));

const NAMES = { 'ida-holm': 'Ida Holm', 'rye-bread': 'Rye bread', 'leek-soup': 'Leek soup', 'plum-tart': 'Plum tart' };

const paragraph = (text: string) => ({ type: 'paragraph', children: [{ type: 'text', text }] });

export interface Recipes {
  /** Published in English and German, with a draft that has changes. */
  readonly recipe: string;
  /** Of the cook of it. */
  readonly cook: string;
  /** Number of a picture that it uses. */
  readonly file: number;
}

/**
 * @param slug that no other recipe has
 * @param token of the user who makes it all
 */
export async function plantRecipes(slug: string, token?: string): Promise<Recipes> {
  const make = async (path: string, data: object): Promise<string> =>
    (await api('POST', `/api/${path}`, { data }, token)).data.documentId;
  const form = new FormData();
  for (const [name, text] of Object.entries(NAMES)) {
    form.append('files', new File([readPicture(name)], `${name}.webp`, { type: 'image/webp' }));
    form.append('fileInfo', JSON.stringify({ alternativeText: text }));
  }
  const [portrait, bread, soup, tart] = (await api('POST', '/api/upload', form, token)).map(
    ({ id }: { id: number }) => id,
  );
  const flour = await make('ingredients', { name: 'Flour', allergen: 'gluten' });
  const butter = await make('ingredients', { name: 'Butter', allergen: 'milk' });
  const plums = await make('ingredients', { name: 'Plums' });
  const leeks = await make('ingredients', { name: 'Leeks' });
  const cook = await make('cooks', { name: 'Ida Holm', bio: 'Bakes by the harbour since 2009.', portrait });
  const amount = (ingredient: string | undefined, quantity: number, unit: string) => ({ ingredient, quantity, unit });
  const others = [
    { title: 'Leek soup', cover: soup, course: 'starter', servings: 4, amounts: [amount(leeks, 600, 'g')] },
    { title: 'Rye bread', cover: bread, course: 'main', servings: 12, amounts: [amount(flour, 750, 'g')] },
    { title: 'Buttered leeks', cover: soup, course: 'main', servings: 2, amounts: [amount(butter, 80, 'g')] },
  ];
  for (const data of others) await make('recipes', { ...data, vegetarian: true, cook, testedOn: '2026-10-02' });
  await make('recipes?status=draft', { title: 'Bread with plums', amounts: [], course: 'dessert', servings: 6, cook });
  const recipe = await make('recipes', {
    ...{ title: 'Plum tart', slug, intro: 'Sour plums on a short crust.', servings: 8, course: 'dessert' },
    ...{ vegetarian: true, testedOn: '2026-09-05', cook, cover: tart, serving: 'Warm, with **cold** cream.' },
    amounts: [amount(flour, 250, 'g'), amount(butter, 125, 'g'), amount(plums, 12, 'piece')],
    steps: [
      { text: 'Rub the butter into the flour.', minutes: 10 },
      { text: 'Bake until dark.', minutes: 40 },
    ],
    nutrition: { kilocalories: 310 },
    story: [
      { type: 'heading', level: 2, children: [{ type: 'text', text: 'From the harbour' }] },
      paragraph('In September the plums come by boat.'),
    ],
    notes: [
      { __component: 'notes.tip', heading: 'Too sour?', text: 'Dust them with sugar.' },
      { __component: 'notes.gallery', pictures: [tart, bread] },
    ],
  });
  const german = { title: 'Zwetschgenkuchen', amounts: [amount(flour, 250, 'g')] };
  await api('PUT', `/api/recipes/${recipe}?locale=de`, { data: german }, token);
  const changes = { intro: 'Very sour plums on a short crust.', servings: 10 };
  await api('PUT', `/api/recipes/${recipe}?status=draft`, { data: changes }, token);
  return { recipe, cook, file: tart };
}
