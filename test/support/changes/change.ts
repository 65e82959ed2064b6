/**
 * @module A change of the attribute `value` of articles: what is declared before and after it, the content before it, and
 * what has to be left of that.
 */
import {
  type ArticleOptions,
  type AttributeJson,
  articles,
  type Expected,
  filled,
  linked,
  linksOf,
  type Side,
  type Stored,
  titlesOf,
  type Version,
  valuesOf,
} from './content.ts';

export interface Renames {
  /** Values of `--rename`, `--rename-type` and `--rename-component`. */
  readonly rename?: readonly string[];
  readonly renameType?: readonly string[];
  readonly renameComponent?: readonly string[];
}

export const NOTHING: readonly Stored[] = [null, null, null];

/** A change before indexes are chosen. */
export interface Change extends Renames {
  readonly title: string;
  readonly before: Side;
  readonly after: Side;
  /** Statements that fill the tables of `before`. */
  readonly fill: readonly string[];
  /** What must be stored afterwards. */
  readonly survives: readonly Expected[];
  /** What the migration says it loses, such as `article.title`, each with how many rows hold it before; otherwise nothing. */
  readonly loses?: Readonly<Record<string, number>>;
  /** Why, of each loss in order. */
  readonly reasons?: readonly string[];
  /** When the parts of the migration run, of a deployment. */
  readonly when?: readonly string[];
  /** Does it store values in another way, so that it sets a fence? */
  readonly moves?: boolean;
  /** What the file of the migration is called. */
  readonly what?: string;
  /** `en` otherwise. */
  readonly defaultLocale?: string;
}

const TITLES = ['Title 0', 'Title 1', 'Title 2', 'Title 3'];

const LINK_SOURCES = ['a', 'a', 'b'];
export const linksTo = (name: string, targets: readonly string[], table?: string): Expected =>
  linksOf(
    name,
    targets.map((target, at) => [LINK_SOURCES[at] ?? '', '', target]),
    table,
  );

export interface Changed extends Renames, Pick<Change, 'title' | 'loses' | 'reasons' | 'when'> {
  /** The attribute `value` before. */
  readonly from: AttributeJson;
  readonly stored: readonly Stored[];
  /** The attribute afterwards, by its name; absent: it is removed. */
  readonly to?: readonly [name: string, attribute: AttributeJson];
  /** What it holds; absent: nothing can be asked. */
  readonly kept?: readonly Stored[];
  readonly options?: ArticleOptions;
  readonly optionsAfter?: ArticleOptions;
  readonly versions?: readonly Version[];
  /** Titles of the rows afterwards, where they are not those of before. */
  readonly titles?: readonly string[];
}

const isHeld = (value: Stored): boolean => value !== null && value !== '[]';

/** A change of an attribute that has a column. Without `kept`, or where that is `NOTHING`, it loses every value. */
export function columnChange({
  from,
  stored,
  to,
  kept,
  options = {},
  optionsAfter = options,
  versions,
  titles = versions ? versions.map((_, at) => `Title ${at}`) : TITLES,
  loses = to && kept && kept !== NOTHING
    ? {}
    : { [`${optionsAfter.name ?? 'article'}.${to?.[0] ?? 'value'}`]: stored.filter(isHeld).length },
  ...change
}: Changed): Change {
  const rows = stored.map((value) => [value]);
  const padded = kept && [...kept, ...titles.slice(kept.length).map(() => null)];
  return {
    ...change,
    loses,
    before: articles({ value: from }, options),
    after: articles(to ? { [to[0]]: to[1] } : {}, optionsAfter),
    fill: filled(['value'], rows, versions),
    survives: [
      titlesOf(titles, optionsAfter.table),
      ...(to && padded ? [valuesOf(to[0], padded, optionsAfter.table)] : []),
    ],
  };
}

export const RENAME = { rename: ['article.value=newWorth'] };

export function linkChange(
  title: string,
  from: AttributeJson,
  targets: readonly string[],
  change: Partial<Changed>,
): Change {
  const { to, ...others } = change;
  return {
    loses: { 'article.value': targets.length },
    ...others,
    title,
    before: articles({ value: from }),
    after: articles(to ? { [to[0]]: to[1] } : {}),
    fill: [...filled([], []), linked('value', targets)],
    survives: [titlesOf(TITLES)],
  };
}
