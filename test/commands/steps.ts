/**
 * @module The steps of a chain: the commands, and what is to be seen after them of what was seen before.
 */
import type { Dice } from '../support/dice.ts';
import { type Model, newName, type Owner, partUid, replaceInModel, type TypeModel, uidOf } from './model.ts';
import { renamed, type Seen, without } from './seen.ts';

/** What a step does to the model, to the command lines that carry it out, and to what is seen. */
export interface Step {
  readonly title: string;
  /** Run in order; each may be killed and repeated. */
  readonly lines: readonly string[];
  /** Moves stored JSON: a Worker of before writes nothing that is lost. */
  readonly isMigration?: true;
  expected(before: Seen): Seen;
}

const MIGRATE = 'migrate --allow-drop';
const same = (seen: Seen): Seen => seen;
const ofChain = <T>(items: readonly T[], dice: Dice): T => dice.pick(items as readonly [T, ...T[]]);

function renameAttribute(model: Model, dice: Dice): Step {
  const owners: readonly Owner[] = [...model.types, ...model.parts];
  const owner = ofChain(owners, dice);
  const from = ofChain([...owner.attributes.keys()], dice);
  const to = newName(model, 'attr');
  replaceInModel(model, from, to);
  const subject = model.parts.includes(owner) ? partUid(owner) : owner.name;
  return {
    title: `rename ${subject}.${from}`,
    lines: [`generate --rename ${subject}.${from}=${to}`, MIGRATE],
    isMigration: true,
    expected: (before) => renamed(before, from, to),
  };
}

function renameType(model: Model, dice: Dice): Step {
  const type = ofChain(model.types, dice);
  const from = type.name;
  type.name = newName(model, 'kind');
  replaceInModel(model, from, type.name);
  return {
    title: `rename the type ${from}`,
    lines: [`generate --rename-type ${from}=${type.name}`, MIGRATE],
    isMigration: true,
    expected: (before) => renamed(before, from, type.name),
  };
}

function renameComponent(model: Model, dice: Dice): Step {
  const part = ofChain(model.parts, dice);
  const from = part.name;
  part.name = newName(model, 'part');
  replaceInModel(model, from, part.name);
  return {
    title: `rename the component ${from}`,
    lines: [`generate --rename-component part.${from}=part.${part.name}`, MIGRATE],
    isMigration: true,
    expected: (before) => renamed(before, from, part.name),
  };
}

/** Texts stay as they are. */
function retype(model: Model, dice: Dice): Step | undefined {
  const owner = ofChain<Owner>([...model.types, ...model.parts], dice);
  const found = [...owner.attributes].find(([, { type }]) => type === 'string');
  if (!found) return undefined;
  owner.attributes.set(found[0], { type: 'text' });
  return {
    title: `make ${owner.name}.${found[0]} a text`,
    lines: ['generate', MIGRATE],
    isMigration: true,
    expected: same,
  };
}

/** Takes an attribute out of what is seen. */
const withoutKey = (seen: Seen, name: string): Seen =>
  Object.fromEntries(
    Object.entries(seen).map(([subject, text]) => [
      subject,
      text
        .split('\n')
        .map((line) =>
          line === '' ? '' : JSON.stringify(JSON.parse(line, (key, value) => (key === name ? undefined : value))),
        )
        .toSorted()
        .join('\n'),
    ]),
  );

function removeAttribute(model: Model, dice: Dice): Step | undefined {
  const owner = ofChain<Owner>([...model.types, ...model.parts], dice);
  const found = [...owner.attributes].find(([, { type }]) => type === 'integer' || type === 'json');
  if (!found) return undefined;
  owner.attributes.delete(found[0]);
  return {
    title: `remove ${owner.name}.${found[0]}`,
    lines: ['generate --allow-drop', MIGRATE],
    expected: (before) => withoutKey(before, found[0]),
  };
}

/** Other locales go, with their schedules and versions; the default one stays. */
function turnLocalesOff(model: Model): Step | undefined {
  const type = model.types.find(({ localized }) => localized);
  if (!type) return undefined;
  type.localized = false;
  return {
    title: `turn the locales of ${type.name} off`,
    lines: ['generate --allow-drop', MIGRATE],
    expected: (before) => withoutLocales(before, type),
  };
}

const linesOf = (text: string): readonly Readonly<Record<string, unknown>>[] =>
  text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));

const linesIn = (rows: readonly object[]): string =>
  rows
    .map((row) => JSON.stringify(row))
    .toSorted()
    .join('\n');

/** `en` becomes none, and what is of `fr` alone goes. A schedule of another locale acts on nothing. */
function withoutLocales(before: Seen, type: TypeModel): Seen {
  const uid = uidOf(type);
  const entries = Object.entries(before).map(([subject, text]) => {
    if (subject !== 'schedules') return [subject, text];
    const kept = linesOf(text).flatMap((row) => {
      if (row.type !== uid) return [row];
      return row.locale === 'en' ? [{ ...row, locale: '' }] : [];
    });
    return [subject, linesIn(kept)];
  });
  const all = Object.fromEntries(entries) as Seen;
  // Documents in one locale take the values of the default one: tests of each change hold which.
  return without(all, `${uid} draft`, `${uid} published`, 'messages', 'versions');
}

/** Drafts go, with their schedules and versions; what is published stays. */
function turnDraftsOff(model: Model): Step | undefined {
  const type = model.types.find(({ drafts }) => drafts);
  if (!type) return undefined;
  type.drafts = false;
  const uid = uidOf(type);
  return {
    title: `turn the drafts of ${type.name} off`,
    lines: ['generate --allow-drop', MIGRATE],
    expected(before) {
      const schedules = linesOf(before.schedules ?? '').filter((row) => row.type !== uid);
      // Which version of a document stays is held by tests of the change.
      const others = without(before, `${uid} draft`, `${uid} published`, 'versions', 'messages');
      return { ...others, schedules: linesIn(schedules) };
    },
  };
}

function exportAndImport(): Step {
  return {
    title: 'export, and import with --replace',
    lines: ['export --file moved.tar.gz', 'import moved.tar.gz --replace --no-backup'],
    // Waiting messages are of the content before. Tokens and former versions stay.
    expected: (before) => ({ ...without(before, 'messages'), schedules: '' }),
  };
}

const importOnlyFiles = (): Step => ({
  title: 'import of the files of an archive',
  lines: ['export --file files.tar.gz', 'import files.tar.gz --only files --replace --no-backup'],
  expected: same,
});

const backUpAndRestore = (): Step => ({
  title: 'backup, and restore',
  lines: ['backup --file kept.tar.gz', 'restore kept.tar.gz --replace --no-backup'],
  // What waits was sent by the deployment that the backup is of.
  expected: (before) => without(before, 'messages'),
});

const checkMedia = (): Step => ({ title: 'media check', lines: ['media check --fix --yes 0'], expected: same });
const pruneHistory = (): Step => ({ title: 'history prune', lines: ['history prune'], expected: same });

const STEPS: readonly ((model: Model, dice: Dice) => Step | undefined)[] = [
  ...[renameAttribute, renameAttribute, renameType, renameComponent, retype, removeAttribute],
  ...[turnLocalesOff, turnDraftsOff, exportAndImport, importOnlyFiles, backUpAndRestore, checkMedia, pruneHistory],
];

export const randomStep = (model: Model, dice: Dice): Step => ofChain(STEPS, dice)(model, dice) ?? checkMedia();
