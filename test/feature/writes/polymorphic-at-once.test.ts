/**
 * @module Concurrent writes of polymorphic relations, from both sides, leave consistent links.
 */
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { type ApiDocument, type Client, clientOf } from '../../support/client.ts';
import { type Dice, diceOf } from '../../support/dice.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';
import { openShop, shopRegistry } from '../../support/worlds/shop.ts';

const WRITERS = 8;
const WRITES = samplesOf(1_600);
const ROUNDS = samplesOf(8);
const DOCUMENTS_OF_A_TYPE = 3;

const ROUTES = {
  menus: 'menu',
  guides: 'guide',
  shelves: 'shelf',
  pages: 'page',
  comments: 'comment',
  reviews: 'review',
  banners: 'banner',
  products: 'product',
  articles: 'article',
  gadgets: 'gadget',
  people: 'person',
  shops: 'shop',
} as const;
type Route = keyof typeof ROUTES;
const NAMES = Object.keys(ROUTES) as [Route, ...Route[]];

const { serve } = openShop();
const clients = [clientOf(serve(), 'full'), clientOf(serve(), 'full'), clientOf(serve(), 'full')];
const documents = Object.fromEntries(NAMES.map((route) => [route, [] as string[]])) as Record<Route, string[]>;

const known = (dice: Dice, route: Route): string => documents[route][dice.below(documents[route].length)] ?? 'nobody';
const some = <T>(dice: Dice, make: () => T): T[] => Array.from({ length: dice.below(4) + 1 }, make);

function typed(dice: Dice) {
  const route = dice.pick(NAMES);
  const locale = dice.once(8) ? { locale: dice.pick(['en', 'fr']) } : {};
  return { __type: `api::${ROUTES[route]}.${ROUTES[route]}`, documentId: known(dice, route), ...locale };
}

function position(dice: Dice) {
  const { __type, documentId } = typed(dice);
  return dice.pick<object>([
    { start: true },
    { end: true },
    { before: documentId, __type },
    { after: documentId, __type },
  ]);
}

const placed = (dice: Dice) =>
  some(dice, () => ({ ...typed(dice), ...(dice.once(2) && { position: position(dice) }) }));

/** A list of documents of any types, in one of the forms of a body. */
const any = (dice: Dice): unknown =>
  dice.pick<() => unknown>([
    () => some(dice, () => typed(dice)),
    () => ({ set: some(dice, () => typed(dice)) }),
    () => ({ connect: placed(dice), options: { strict: false } }),
    () => ({ connect: placed(dice), disconnect: some(dice, () => typed(dice)), options: { strict: false } }),
    () => ({ disconnect: some(dice, () => typed(dice)) }),
  ])();

const anyOne = (dice: Dice): unknown =>
  dice.pick<unknown>([typed(dice), typed(dice), { connect: [typed(dice)] }, null]);

/** The side that is pointed at. */
const back = (dice: Dice, route: Route): unknown => {
  const names = () => some(dice, () => known(dice, route));
  return dice.pick<unknown>([names(), { connect: names() }, { disconnect: names() }, { set: names() }, []]);
};

const rail = (dice: Dice) => ({ label: 'rail', entries: some(dice, () => typed(dice)) });
const teaser = (dice: Dice) => ({ label: 'teaser', target: anyOne(dice) });

function relations(route: Route, dice: Dice): object {
  switch (route) {
    case 'menus':
      return { items: any(dice) };
    case 'guides':
      return dice.once(2) ? { parts: any(dice) } : { extras: any(dice) };
    case 'shelves':
      return { things: any(dice) };
    case 'comments':
    case 'reviews':
      return { subject: anyOne(dice) };
    case 'banners':
      return { spot: anyOne(dice) };
    case 'pages':
      return dice.pick<object>([
        { teaser: teaser(dice), rails: some(dice, () => rail(dice)) },
        {
          blocks: [
            { __component: 'kit.rail', ...rail(dice) },
            { __component: 'kit.teaser', ...teaser(dice) },
          ],
        },
      ]);
    case 'products':
      return dice.pick<object>([
        { menus: back(dice, 'menus') },
        { mainMenu: known(dice, 'menus') },
        { banner: known(dice, 'banners'), maker: known(dice, 'people') },
      ]);
    case 'articles':
      return dice.once(2) ? { parts: back(dice, 'guides') } : { menus: back(dice, 'menus') };
    case 'gadgets':
      return { comments: back(dice, 'comments') };
    case 'people':
      return { things: back(dice, 'shelves') };
    default:
      return dice.pick<object>([
        { comments: back(dice, 'comments'), reviews: back(dice, 'reviews') },
        { banner: known(dice, 'banners'), things: known(dice, 'shelves') },
        { items: back(dice, 'menus'), shelves: back(dice, 'shelves') },
      ]);
  }
}

const labels: Partial<Record<Route, string>> = { products: 'name', gadgets: 'name', people: 'name', shops: 'name' };
const isLocalized = (route: Route) => route === 'guides' || route === 'articles';

function search(route: Route, dice: Dice): string {
  const locale = isLocalized(route) && dice.once(3) ? `locale=${dice.pick(['en', 'fr'])}&` : '';
  return dice.once(3) ? `${locale}status=draft` : locale;
}

async function write(client: Client, dice: Dice): Promise<Response> {
  const route = dice.pick(NAMES);
  const own = documents[route];
  const label = labels[route] ?? (route === 'articles' ? 'title' : undefined);
  const data = {
    ...(label && { [label]: `${route} ${dice.below(99)}` }),
    ...(!dice.once(4) && relations(route, dice)),
  };
  if (own.length < 2 || (own.length < DOCUMENTS_OF_A_TYPE && dice.once(2))) {
    const response = await client.create(`/api/${route}?${search(route, dice)}`, data);
    const body = (await response.clone().json()) as { data: ApiDocument | null };
    if (body.data) own.push(body.data.documentId);
    return response;
  }
  const documentId = known(dice, route);
  if (!dice.once(6)) return client.update(`/api/${route}/${documentId}?${search(route, dice)}`, data);
  const locale = isLocalized(route) ? dice.pick(['', '?locale=fr', '?locale=*']) : '';
  if (locale !== '?locale=fr' && own.includes(documentId)) own.splice(own.indexOf(documentId), 1);
  return client.remove(`/api/${route}/${documentId}${locale}`);
}

it('random writes by eight writers at once keep every link whole', async () => {
  const seed = seedOf('polymorphic writes');
  vi.spyOn(console, 'error').mockReturnValue();
  const writers = Array.from({ length: WRITERS }, (_, number) => diceOf(seed + number));
  const statuses = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const failures: string[] = [];
    const writeAll = async (dice: Dice, number: number) => {
      for (let done = 0; done < WRITES / WRITERS / ROUNDS; done += 1) {
        const response = await write(clients[number % clients.length] as Client, dice);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const isBusy = response.status === 503 && response.headers.has('retry-after');
        if (response.status >= 500 && !isBusy) failures.push(`${response.status} ${await response.text()}`);
      }
    };
    await Promise.all(writers.map(writeAll));
    expect(failures).toEqual([]);
    expect(await checkInvariants(env.DB, shopRegistry)).toEqual([]);
  }
  const count = (...wanted: number[]) => wanted.reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0);
  expect(count(200, 201, 204)).toBeGreaterThan(WRITES / 3);
});
