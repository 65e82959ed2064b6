/**
 * @module Random saves of a project beside reads and writes. Each is served or refused. One that is served leaves the tables
 * of its files, and is undone by the files of before; one that is refused leaves everything as it was.
 */
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../../../cli/core/terminal.ts';
import type { Attribute, ContentType } from '../../../../src/schema/model.ts';
import { type Dice, diceOf } from '../../../support/dice.ts';
import { edited, FIRST, type Files } from './random-files.ts';
import { openSavedWorld, type SavedWorld, type Stored, type StoredVersion } from './saved-world.ts';

interface Remembered {
  readonly files: Files;
  readonly step: number;
  readonly stored: Stored;
}

const REFUSED = /^A save only adds\. /;

const WORDS = ['one', 'two', 'three words here', '12', '2024-05-06', 'true'] as const;

type Written = ReadonlyMap<string, number>;

function scalarValue(type: string, dice: Dice): unknown {
  switch (type) {
    case 'integer':
    case 'biginteger':
      return dice.pick([0, 1, 7, 123456]);
    case 'decimal':
    case 'float':
      return dice.pick([0, 1, 2.5, 0.1 + 0.2]);
    case 'boolean':
      return dice.once(2);
    case 'date':
      return '2024-02-03';
    case 'datetime':
      return dice.pick(['2024-02-03T00:00:00.000Z', '2024-02-03T04:05:06.789Z']);
    case 'json':
      return dice.pick<unknown>([{ a: [1, 'b'] }, [1], 'text', 5]);
    case 'enumeration':
      return dice.pick(['one', 'two']);
    default:
      return `${dice.pick(WORDS)}${dice.once(2) ? '' : ` ${dice.below(1_000_000)}`}`;
  }
}

/** A writer of bodies for what is served. */
class Load {
  readonly written = new Map<string, number>();
  readonly #world: SavedWorld;
  readonly #dice: Dice;

  constructor(world: SavedWorld, dice: Dice) {
    this.#world = world;
    this.#dice = dice;
  }

  #types(): readonly ContentType[] {
    return [...this.#world.registry().contentTypes.values()].filter(({ system }) => !system);
  }

  #ids({ table }: ContentType): readonly string[] {
    return this.#world.query(`SELECT DISTINCT "document_id" AS "id" FROM "${table}"`).map(({ id }) => String(id));
  }

  #instance(uid: string, depth: number): Record<string, unknown> {
    const attributes = this.#world.registry().components.get(uid)?.attributes ?? new Map();
    const entries = [...attributes].map(([name, attribute]) => [name, this.#value(attribute, depth + 1)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  #value(attribute: Attribute, depth = 0): unknown {
    const dice = this.#dice;
    if (attribute.kind === 'scalar') return scalarValue(attribute.type, dice);
    if (attribute.kind === 'component')
      return attribute.repeatable
        ? [this.#instance(attribute.component, depth)]
        : this.#instance(attribute.component, depth);
    if (attribute.kind === 'dynamiczone') {
      const uid = dice.pick([...attribute.components] as [string]);
      return [{ __component: uid, ...this.#instance(uid, depth) }];
    }
    if (attribute.kind !== 'relation') return undefined;
    const target = this.#world.registry().contentTypes.get(attribute.target) as ContentType;
    const ids = target.system ? [] : this.#ids(target);
    const chosen = ids.filter(() => dice.once(2)).slice(0, attribute.multiple ? 3 : 1);
    return attribute.multiple ? chosen : (chosen[0] ?? null);
  }

  #body(type: ContentType, isNew: boolean): Record<string, unknown> {
    const entries = [...type.attributes.values()]
      .filter((attribute) => attribute.writable && (isNew ? !this.#dice.once(5) : this.#dice.once(3)))
      .map((attribute) => [attribute.name, this.#value(attribute)] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  /** Documents that are linked with one, in every version. */
  #neighbours(id: string): readonly string[] {
    const links = Object.values(this.#world.layout().types).flatMap(({ attributes }) =>
      Object.values(attributes).flatMap((place) => (place.kind === 'links' ? [place.table] : [])),
    );
    return links.flatMap((table) =>
      this.#world
        .query(
          `SELECT "source_document_id" AS "a", "target_document_id" AS "b" FROM "${table}" WHERE '${id}' IN ("source_document_id", "target_document_id")`,
        )
        .flatMap(({ a, b }) => [String(a), String(b)]),
    );
  }

  #touch(ids: readonly string[], step: number): void {
    for (const id of ids) this.written.set(id, step);
  }

  async write(step: number): Promise<void> {
    const dice = this.#dice;
    const type = dice.pick(this.#types() as [ContentType]);
    const ids = this.#ids(type);
    const id = ids[dice.below(Math.max(ids.length, 1))];
    const isSingle = type.kind === 'singleType';
    const path = `/api/${isSingle ? type.singularName : type.pluralName}`;
    const query = `?status=${dice.pick(['draft', 'published'])}${type.localized ? `&locale=${dice.pick(['en', 'fr'])}` : ''}`;
    if (id === undefined || (ids.length < 6 && dice.once(2))) {
      const data = this.#body(type, true);
      const response = await this.#world.send(isSingle ? 'PUT' : 'POST', `${path}${query}`, data);
      const { data: document } = (await response.json()) as { data?: { documentId: string } };
      if (document) this.#touch([document.documentId, ...this.#neighbours(document.documentId)], step);
      return;
    }
    const known = isSingle ? ids : [id];
    const before = known.flatMap((each) => this.#neighbours(each));
    const one = isSingle ? path : `${path}/${id}`;
    if (dice.once(6))
      await this.#world.send('DELETE', `${one}${type.localized ? `?locale=${dice.pick(['en', 'fr'])}` : ''}`);
    else await this.#world.send('PUT', `${one}${query}`, this.#body(type, false));
    this.#touch([...known, ...before, ...known.flatMap((each) => this.#neighbours(each))], step);
  }

  async read(): Promise<void> {
    const type = this.#dice.pick(this.#types() as [ContentType]);
    const path = type.kind === 'singleType' ? type.singularName : type.pluralName;
    const query = this.#dice.pick([
      'populate=*',
      '_q=words&populate=*',
      'pagination[withCount]=true&sort=createdAt:desc',
    ]);
    await this.#world.send('GET', `/api/${path}?${query}&status=${this.#dice.pick(['draft', 'published'])}`);
  }
}

const withoutLinksTo = (links: StoredVersion['links'], isWritten: (id: string) => boolean) =>
  Object.fromEntries(
    Object.entries(links).map(([name, all]) => [name, all.filter((link) => !isWritten(link.split('/')[0] ?? ''))]),
  );

/** How documents that nobody has written since differ from what they were. */
function differences({ stored, step }: Remembered, now: Stored, written: Written): readonly string[] {
  const isWritten = (id: string) => (written.get(id) ?? 0) > step;
  return Object.entries(stored).flatMap(([uid, versions]) =>
    Object.entries(versions).flatMap(([name, version]) => {
      if (isWritten(version.documentId)) return [];
      const present = now[uid]?.[name];
      if (!present) return [`${uid} ${name} is gone`];
      const values = isDeepStrictEqual(version.values, present.values);
      const links = isDeepStrictEqual(
        withoutLinksTo(version.links, isWritten),
        withoutLinksTo(present.links, isWritten),
      );
      return values && links
        ? []
        : [
            `${uid} ${name} was ${JSON.stringify([version.values, version.links])} and is ${JSON.stringify([present.values, present.links])}`,
          ];
    }),
  );
}

export interface Saves {
  readonly served: number;
  readonly refused: number;
  /** Served ones that were taken back. */
  readonly back: number;
}

class Saver {
  readonly done = { served: 0, refused: 0, back: 0 };
  readonly #world: SavedWorld;
  readonly #dice: Dice;
  readonly #load: Load;
  readonly #seed: number;
  #step = 0;
  #files = FIRST;
  /** States from which only saves have led here. */
  #history: Remembered[] = [];

  constructor(world: SavedWorld, seed: number) {
    this.#world = world;
    this.#seed = seed;
    this.#dice = diceOf(seed);
    this.#load = new Load(world, this.#dice);
  }

  #fail(what: string, problems: readonly string[], files = this.#files): void {
    if (problems.length === 0) return;
    const where = `seed ${this.#seed}, step ${this.#step}, ${what}`;
    throw new Error(`${where}:\n${problems.slice(0, 12).join('\n')}\n${JSON.stringify([this.#files, files])}`);
  }

  /** @returns the reason of a refusal. */
  async #save(files: Files): Promise<string | undefined> {
    try {
      await this.#world.save(files);
      return undefined;
    } catch (error) {
      const { message } = error as Error;
      if (!(error instanceof UserError && REFUSED.test(message))) this.#fail('failed', [message], files);
      return message;
    }
  }

  async #refused(next: Files, before: Stored): Promise<void> {
    this.done.refused += 1;
    this.#fail(
      'a refusal changed something',
      differences({ files: next, step: this.#step, stored: before }, this.#world.stored(), new Map()),
      next,
    );
    if (!this.#dice.once(3)) return;
    await this.#world.save(next, { allowConvert: true, allowDrop: true });
    this.#files = next;
    this.#history = [];
    this.#fail('after a consent', await this.#world.complaints());
  }

  async #served(next: Files, before: Remembered, earlier: Remembered | undefined): Promise<void> {
    this.done.served += 1;
    this.#fail('after a save', await this.#world.complaints(), next);
    if (earlier)
      this.#fail('back to an earlier save', differences(earlier, this.#world.stored(), this.#load.written), next);
    if (this.#dice.once(2)) {
      this.#fail('taken back', [(await this.#save(before.files)) ?? []].flat(), next);
      this.#fail('taken back', differences(before, this.#world.stored(), new Map()), next);
      this.#fail('taken back', await this.#world.complaints(), next);
      this.done.back += 1;
    } else this.#files = next;
  }

  async step(): Promise<void> {
    const dice = this.#dice;
    this.#step += 1;
    for (let count = dice.below(4); count > 0; count -= 1)
      await (dice.once(3) ? this.#load.read() : this.#load.write(this.#step));
    this.#fail('after writes', await this.#world.complaints());
    const before = { files: this.#files, step: this.#step, stored: this.#world.stored() };
    this.#history.push(before);
    if (this.#history.length > 12) this.#history.splice(1 + dice.below(10), 1);
    const earlier = dice.once(4) ? dice.pick(this.#history as [Remembered]) : undefined;
    const next = earlier ? earlier.files : edited(this.#files, dice);
    if (await this.#save(next)) await this.#refused(next, before.stored);
    else await this.#served(next, before, earlier);
  }
}

/** @throws Error with the step and all that is wrong after it. */
export async function saveAtRandom(seed: number, steps: number): Promise<Saves> {
  const world = await openSavedWorld(FIRST);
  await world.save(FIRST);
  const saver = new Saver(world, seed);
  for (let step = 1; step <= steps; step += 1) await saver.step();
  world.close();
  return saver.done;
}
