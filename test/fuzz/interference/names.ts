/**
 * @module The documents that requests are about.
 */
import fc from 'fast-check';
import { idNamed } from './chance.ts';

export const PATHS: Readonly<Record<string, string>> = {
  team: 'teams',
  topic: 'topics',
  story: 'stories',
  chapter: 'chapters',
  child: 'children',
  remark: 'remarks',
  menu: 'menus',
  board: 'boards',
  sheet: 'sheets',
  leaflet: 'leaflets',
  poster: 'posters',
  plan: 'plans',
  vault: 'vaults',
};

/** Documents that callers may see, and those that all conditions hide, by type. */
export const VISIBLE: Readonly<Record<string, readonly number[]>> = {
  team: [1, 2],
  topic: [1, 2],
  story: [1, 2, 3, 4, 5, 6, 7],
  chapter: [1, 2, 3],
  child: [1, 2, 3, 4],
  remark: [1, 2, 3, 4, 5, 6],
  menu: [1, 2],
  board: [1],
  sheet: [1],
  leaflet: [1],
  poster: [1, 2, 3],
};
export const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  story: ['storyh1', 'storyh2', 'storyh3'],
  chapter: ['chapterh1'],
  child: ['childh1'],
  remark: ['remarkh1'],
  sheet: ['sheeth1'],
  leaflet: ['leafleth1'],
  vault: ['vault1'],
  plan: ['plan1', 'plan2', 'plan3'],
};

/** The document of previews: no secret is in its draft. */
export const PREVIEWED = 'story6';

/** The tables of links from visible documents to hidden ones that conditions do not follow, each with that of its type. */
export const LEADS = Object.keys(VISIBLE)
  .map((type) => String(PATHS[type]))
  .flatMap((table) =>
    ['story', 'remark'].map((target) => ({
      table,
      target,
      list: `${table}_${target === 'story' ? 'more' : 'about'}_lnk`,
    })),
  );

export const TYPE_NAMES = Object.keys(PATHS);

const plainNames = (type: string): readonly string[] => (VISIBLE[type] ?? []).map((number) => `${type}${number}`);

/** The name of a document, of one that nothing has, or `{new}`: the last one that the caller created. */
export function nameOf(type: string, visibleWeight = 12): fc.Arbitrary<string> {
  const hidden = HIDDEN[type] ?? [];
  const visible = plainNames(type);
  return fc.oneof(
    ...(visible.length > 0 ? [{ weight: visibleWeight, arbitrary: fc.constantFrom(...visible) }] : []),
    ...(hidden.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...hidden) }] : []),
    { weight: 1, arbitrary: fc.constantFrom(`${type}99`, '{new}') },
  );
}

export const documentIdOf = (name: string): string => (name === '{new}' ? name : idNamed(name));

/** The documentId of a document, or the numeric id of one of its rows. */
export const idOf = (type: string): fc.Arbitrary<string> =>
  fc
    .tuple(nameOf(type, 20), fc.constantFrom('', '', '', '', '/en/published', '/en/draft', '/fr/published'))
    .map(([name, version]) => (version === '' || name === '{new}' ? documentIdOf(name) : `{${name}${version}}`));

/** Documents whose French version is hidden: whoever may write French learns that it is taken. */
export const HIDDEN_FRENCH = ['story2', 'sheet1'];
