/**
 * @module One of the two worlds during a sequence: what its caller has seen, and the responses.
 */
import { note, type Planned, resolved, resolvedJson, resolvedText } from '../../generators/step.ts';
import { beginStep, idNamed, timeOf } from './chance.ts';
import { type Planted, write as writeFully } from './content.ts';
import type { Change } from './secrets.ts';
import type { Step } from './step.ts';
import type { World } from './world.ts';

/** More characters than a stored response has. */
const HUGE = 'x'.repeat(500_001);

/** Headers that say nothing about content. */
const IGNORED = new Set(['x-request-id']);

export interface Side {
  readonly world: World;
  readonly planted: Planted;
  /** Placeholders that the responses fill. */
  readonly seen: Map<string, string>;
}

export const openSide = (world: World, planted: Planted): Side => ({ world, planted, seen: new Map() });

function placed(name: string, { planted, seen }: Side): string {
  if (name === 'huge') return HUGE;
  const id = planted.ids.get(name);
  return id === undefined ? (seen.get(name) ?? (/\d/.test(name) ? '9999' : idNamed('nothing'))) : String(id);
}

const token = ({ tokens }: Planted, caller: string): string => (caller === 'public' ? '' : (tokens[caller] ?? caller));

/** Sends a request, and returns what the caller sees of the response. */
export async function respond(side: Side, request: Planned, caller: string): Promise<string> {
  const by = request.isPreview ? (side.seen.get('preview') ?? 'nothing') : request.asPublic ? 'public' : caller;
  const response = await side.world.send(
    resolved(request, (name) => placed(name, side)),
    token(side.planted, by),
  );
  const text = await response.text();
  note(request, response, text, side.seen);
  const headers = [...response.headers].filter(([name]) => !IGNORED.has(name)).map((entry) => entry.join(': '));
  return [String(response.status), ...headers.sort(), '', text].join('\n');
}

/**
 * Makes a change, and restores the times of the visible locales: a write of a hidden one copies shared values to them, and
 * so shows in their `updatedAt` (docs/writing.md, If-Match).
 */
async function write(side: Side, { method, path, data }: Extract<Change, { path: string }>): Promise<void> {
  const { database } = side.world;
  const body = data && JSON.parse(resolvedJson(data, (name) => placed(name, side)));
  const [, plural, documentId] = /^\/api\/(stories|sheets)\/(\w+).*locale=fr/.exec(path) ?? [];
  const times = plural
    ? database.all(`select id, updated_at from "${plural}" where document_id = ? and locale <> 'fr'`, documentId ?? '')
    : [];
  // What was deleted before cannot be changed.
  await writeFully(
    side.world,
    method,
    resolvedText(path, (name) => placed(name, side)),
    body,
  ).catch((error: Error) => {
    if (/: 5\d\d /.test(error.message)) throw error;
  });
  for (const { id, updated_at: time } of times)
    database.all(`update "${plural}" set updated_at = ? where id = ?`, Number(time), Number(id));
}

/** Makes changes that the caller is not to notice. */
export async function change(side: Side, changes: readonly Change[], name: string, time: number): Promise<void> {
  for (const [index, each] of changes.entries()) {
    beginStep(`${name}${index}`, time);
    if ('sql' in each) side.world.database.exec(each.sql);
    else await write(side, each);
  }
}

/** From here on numeric ids are the same in both worlds: those of new rows tell how many there were, as in Strapi. */
const level = (start: number): string => `
  delete from sqlite_sequence;
  insert into sqlite_sequence
    select name, ${start} from sqlite_master where type = 'table' and sql like '%autoincrement%'`;
const FIRST_STAMPS = `update edgewise_stamps set stamps = '{"every":"first"}'`;
const FIRST_ID = 5_000;

export async function begin(side: Side, changes: readonly Change[]): Promise<void> {
  side.seen.clear();
  side.world.begin();
  await change(side, changes, 'hidden', timeOf(-1));
  side.world.database.exec(level(FIRST_ID));
  side.world.database.exec(FIRST_STAMPS);
}

/** Hides the last document that the caller has created; in each world it has another text then. */
async function hide(side: Side, secret: string): Promise<void> {
  const path = side.seen.get('newPath');
  if (path === undefined) return;
  const data = { title: secret, audience: 'closed', owner: '{zoe}', team: idNamed('team2'), rating: 1 };
  await change(side, [{ method: 'PUT', path, data }], 'hide', timeOf(0));
}

/** Takes a step. Returns the response that the other world's has to be like; undefined for what the caller does not see. */
export async function take(
  side: Side,
  step: Step,
  index: number,
  caller: string,
  of: 0 | 1,
): Promise<string | undefined> {
  const time = timeOf(index);
  beginStep(`step${index}x`, time);
  switch (step.kind) {
    case 'request':
      return respond(side, step.request, caller);
    case 'other':
      await respond({ ...side, seen: new Map(side.seen) }, step.request, step.caller);
      return undefined;
    case 'hidden':
      await change(side, step.changes[of], `change${index}x`, time);
      side.world.database.exec(level(FIRST_ID * (index + 2)));
      return undefined;
    case 'hide':
      await hide(side, `secret of ${of}`);
      side.world.database.exec(level(FIRST_ID * (index + 2)));
      return undefined;
    case 'cron':
      await side.world.runScheduled();
      return undefined;
  }
}
