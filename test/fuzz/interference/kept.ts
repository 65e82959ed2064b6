/**
 * @module What requests of a caller leave as it is: documents that are hidden from it, and links to them.
 */
import { idNamed } from './chance.ts';
import { typeNamed } from './content.ts';
import { HIDDEN, LEADS, PATHS } from './names.ts';
import { readsDrafts, seesAll } from './rights.ts';
import type { World } from './world.ts';

/** Documents that no caller may see. */
const HIDDEN_NAMES = ['story', 'sheet', 'leaflet', 'vault', 'plan'].flatMap((type) => HIDDEN[type] ?? []);

/** Link tables of lists, in which a document keeps its links to hidden ones as long as it is there. */
const LISTS = {
  menus_items_mph: 'menus',
  menus_stories_lnk: 'menus',
  boards_items_mph: 'boards',
  up_users_favorites_lnk: 'up_users',
  ...Object.fromEntries(LEADS.map(({ list, table }) => [list, table])),
};

const LINKS = Object.entries(LISTS).map(
  ([list, table]) =>
    `select '${list}' as list, '${table}' as "table", source_document_id as source, source_locale as locale, target_document_id as target from "${list}"`,
);

function unseenTargets(caller: string): readonly string[] {
  const drafts = readsDrafts(caller, 'story') ? [] : ['story4'];
  const remarks = seesAll(caller, 'remark') ? [] : (HIDDEN.remark ?? []);
  return [...HIDDEN_NAMES, ...remarks, ...drafts, ...(seesAll(caller, 'team') ? [] : ['team2'])];
}

const listed = (names: readonly string[]): string => names.map((name) => `'${idNamed(name)}'`).join();

interface Link {
  /** The table of the document that has it. */
  readonly table: string;
  readonly source: readonly string[];
  readonly text: string;
}

/** What has to stay, by the document that it belongs to. */
export interface Kept {
  readonly rows: ReadonlyMap<string, string>;
  readonly links: readonly Link[];
}

export function readKept({ database }: World, caller: string): Kept {
  const rows = HIDDEN_NAMES.map((name) => {
    const found = database.all(
      `select * from "${PATHS[typeNamed(name)]}" where document_id = ? order by id`,
      idNamed(name),
    );
    return [name, JSON.stringify(found)] as const;
  });
  const unseen = listed(unseenTargets(caller));
  const links = database
    .all(LINKS.map((select) => `${select} where target_document_id in (${unseen})`).join(' union all '))
    .map(({ list, table, source, locale, target }) => ({
      table: String(table),
      source: [String(source), String(locale)],
      text: `${list} ${source} ${locale} ${target}`,
    }));
  return { rows: new Map(rows), links };
}

/** Returns what was not left as it was; undefined if all was. */
export function lostOf(before: Kept, after: Kept, { database }: World): string | undefined {
  const changed = [...before.rows].find(([name, row]) => after.rows.get(name) !== row);
  if (changed) return `${changed[0]} was changed from ${changed[1]} to ${after.rows.get(changed[0])}`;
  const links = new Set(after.links.map(({ text }) => text));
  const isThere = ({ table, source }: Link) =>
    database.all(`select 1 from "${table}" where document_id = ? and locale = ?`, ...source).length > 0;
  const lost = before.links.find((link) => !links.has(link.text) && isThere(link));
  return lost && `the link ${lost.text} was removed`;
}

/** Returns a hidden document that a response names, and no request did. */
export const revealed = (response: string, requests: string): string | undefined =>
  HIDDEN_NAMES.find((name) => response.includes(idNamed(name)) && !requests.includes(idNamed(name)));
