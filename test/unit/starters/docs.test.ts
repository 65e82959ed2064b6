/**
 * @module The content of the starter `docs`: what its pages lead to is there, and settings and content fit its content types.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { expect, it } from 'vitest';
import { readSeeds, type Seed } from '../../../cli/dev/seed.ts';
import { registryOf, schemaFilesIn } from '../../../cli/project/project.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const STARTER = join(import.meta.dirname, '../../../starters/docs');

const settings = parseSettings(JSON.parse(readFileSync(join(STARTER, 'settings.json'), 'utf8')));
const registry = registryOf(schemaFilesIn(STARTER, settings));

interface Page {
  readonly slug: string;
  readonly order: number;
  readonly section: string;
  readonly body: string;
  readonly pictures?: readonly string[];
  readonly localizations?: { readonly fr: { readonly body: string } };
}

const seeds = (problems: string[] = []): readonly Seed[] =>
  readSeeds(STARTER, registry, (problem) => problems.push(problem));
const planted = (type: string) => seeds().find((seed) => seed.type.pluralName === type);
const pages = (planted('pages')?.documents ?? []) as unknown as readonly Page[];
const drafts = (planted('pages')?.drafts ?? []) as unknown as readonly Page[];

/** The bodies of a page in all its locales. */
const bodies = ({ body, localizations }: Page) => [body, ...Object.values(localizations ?? {}).map((fr) => fr.body)];

function addresses(body: string, type: 'link' | 'image'): readonly string[] {
  const found: string[] = [];
  const marked = new Marked();
  marked.walkTokens(marked.lexer(body), (token: Token) => {
    if (token.type === type) found.push((token as Tokens.Link | Tokens.Image).href);
  });
  return found;
}

it('has a seed for each of its content types', () => {
  const problems: string[] = [];
  expect(seeds(problems).map(({ type }) => type.uid)).toEqual([
    'api::section.section',
    'api::page.page',
    'api::site.site',
  ]);
  expect(problems).toEqual([]);
  expect([pages.length, drafts.length]).toEqual([15, 1]);
});

it('has pages whose attributes its content types have', () => {
  const { attributes } = planted('pages')?.type ?? {};
  for (const page of [...pages, ...drafts])
    for (const name of Object.keys(page).filter((key) => key !== 'localizations'))
      expect(attributes?.has(name), `${page.slug}: ${name}`).toBe(true);
});

it('has pages that lead to pages that are there', () => {
  const slugs = pages.map(({ slug }) => slug);
  const leadingNowhere = [...pages, ...drafts].flatMap((page) =>
    bodies(page)
      .flatMap((body) => addresses(body, 'link'))
      .filter((address) => !address.startsWith('https://') && !slugs.includes(address.replace(/#.*/, '')))
      .map((address) => `${page.slug}: ${address}`),
  );
  expect(leadingNowhere).toEqual([]);
});

it('shows pictures that are attached to their page', () => {
  const shown = pages.flatMap((page) => bodies(page).flatMap((body) => addresses(body, 'image')));
  expect(shown).toEqual(['studio.webp', 'studio.webp']);
  for (const page of pages)
    for (const name of bodies(page).flatMap((body) => addresses(body, 'image'))) {
      expect(page.pictures).toContain(name);
      expect(existsSync(join(STARTER, 'demo/media', name))).toBe(true);
    }
});

it('gives each page of a section a place of its own', () => {
  const places = [...pages, ...drafts].map(({ section, order }) => `${section} ${order}`);
  expect(new Set(places).size).toBe(places.length);
});
