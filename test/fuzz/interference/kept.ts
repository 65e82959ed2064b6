/**
 * @module What requests of a caller leave as it is: documents that are hidden from it, and links to them.
 */
import { idNamed } from './chance.ts';
import { PATHS, typeNamed } from './content.ts';
import { type CallerName, HIDDEN, READS_DRAFTS } from './names.ts';
import type { World } from './world.ts';

/** Documents that no caller may see. */
const HIDDEN_NAMES = ['story', 'sheet', 'leaflet', 'vault'].flatMap((type) => HIDDEN[type] ?? []);

/** Link tables of lists, in which a document keeps its links to hidden ones as long as it is there. */
const LISTS = ['menus_items_mph', 'menus_stories_lnk'] as const;

const unseenTeams: readonly CallerName[] = ['anna', 'wim', 'partner', 'public'];

function unseenTargets(caller: CallerName): readonly string[] {
  const drafts = READS_DRAFTS.includes(caller) ? [] : ['story4'];
  return [...HIDDEN_NAMES, ...drafts, ...(unseenTeams.includes(caller) ? ['team2'] : [])];
}

const list = (names: readonly string[]): string => names.map((name) => `'${idNamed(name)}'`).join();

/** What has to stay, by the document that it belongs to. */
export interface Kept {
  readonly rows: ReadonlyMap<string, string>;
  /** `table source target` */
  readonly links: readonly (readonly [source: string, link: string])[];
}

export function readKept({ database }: World, caller: CallerName): Kept {
  const rows = HIDDEN_NAMES.map((name) => {
    const found = database.all(
      `select * from "${PATHS[typeNamed(name)]}" where document_id = ? order by id`,
      idNamed(name),
    );
    return [name, JSON.stringify(found)] as const;
  });
  const links = LISTS.flatMap((table) =>
    database
      .all(
        `select source_document_id as source, target_document_id as target from "${table}"
          where target_document_id in (${list(unseenTargets(caller))})`,
      )
      .map(({ source, target }) => [String(source), `${table} ${source} ${target}`] as const),
  );
  return { rows: new Map(rows), links };
}

/** Returns what was not left as it was; undefined if all was. */
export function lostOf(before: Kept, after: Kept, { database }: World): string | undefined {
  const changed = [...before.rows].find(([name, row]) => after.rows.get(name) !== row);
  if (changed) return `${changed[0]} was changed from ${changed[1]} to ${after.rows.get(changed[0])}`;
  const links = new Set(after.links.map(([, link]) => link));
  const isThere = (menu: string) => database.all('select 1 from menus where document_id = ?', menu).length > 0;
  const lost = before.links.find(([source, link]) => !links.has(link) && isThere(source));
  return lost && `the link ${lost[1]} was removed`;
}

/** Returns a hidden document that a response names, and no request did. */
export const revealed = (response: string, requests: string): string | undefined =>
  HIDDEN_NAMES.find((name) => response.includes(idNamed(name)) && !requests.includes(idNamed(name)));
