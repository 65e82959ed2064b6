/**
 * @module A Worker of before that writes while commands run: each write is there afterwards, or was rejected by a 503.
 */
import type { Registry } from '../../src/schema/model.ts';
import { type Model, pathOf, type TypeModel, uidOf } from '../generators/models.ts';
import type { Dice } from '../support/dice.ts';
import { dataOf, type Written } from './content.ts';
import type { Project } from './project.ts';
import type { Seen } from './seen.ts';

/** What a document was answered with success for last. */
interface Acknowledged {
  /** In the list of content types. */
  readonly index: number;
  readonly isDraft: boolean;
  readonly documentId: string;
  readonly texts: readonly string[];
}

export interface Writing {
  readonly acknowledged: readonly Acknowledged[];
  /** Responses that are neither a success nor a 503. */
  readonly failures: readonly string[];
}

/** So that a chain writes the same, whatever the machine is like. */
const MAX_WRITES = 12;

const textsIn = (data: unknown): readonly string[] => JSON.stringify(data).match(/text \d+/g) ?? [];

/** Writes until the work is done, and once more. @param model its content types */
export async function writeBeside(
  project: Project,
  registry: Registry,
  model: Model,
  written: Written,
  dice: Dice,
  work: () => Promise<void>,
): Promise<Writing> {
  const documents = new Map<string, Acknowledged>();
  const failures: string[] = [];
  let isDone = false;
  const writeOne = async (ask: Parameters<Parameters<Project['serve']>[0]>[0]['ask'], index: number) => {
    const type = model.types[index] as TypeModel;
    const status = type.drafts ? '?status=draft' : '?status=published';
    const known = [...documents.values()].filter((document) => document.index === index);
    const [documentId] = dice.once(2) ? known.map((document) => document.documentId) : [];
    written.isLinking = false;
    const data = dataOf(type, model, written, dice);
    written.isLinking = true;
    const path = documentId === undefined ? pathOf(type) : `${pathOf(type)}/${documentId}`;
    const { status: code, body } = await ask(documentId === undefined ? 'POST' : 'PUT', `${path}${status}`, { data });
    if (code < 300) {
      const { documentId: id } = (body as { data: { documentId: string } }).data;
      documents.set(id, { index, isDraft: type.drafts, documentId: id, texts: textsIn(data) });
    } else if (code !== 503) failures.push(`${path}: ${code} ${JSON.stringify(body)}`);
  };
  const writing = project.serve(async ({ ask }) => {
    const places = [...model.types.keys()].filter((index) => !model.types[index]?.isLone);
    for (let count = 0; count < MAX_WRITES && !isDone; count += 1)
      await writeOne(ask, dice.pick(places as [number, ...number[]]));
  }, registry);
  try {
    await work();
  } finally {
    isDone = true;
    await writing;
  }
  await project.serve(async ({ ask }) => {
    for (const [index, type] of model.types.entries()) if (!type.isLone) await writeOne(ask, index);
  }, registry);
  return { acknowledged: [...documents.values()], failures };
}

/** What was written meanwhile, and is not there. @param model the content types now */
export const lostIn = ({ acknowledged }: Writing, seen: Seen, model: Model): readonly string[] =>
  acknowledged.flatMap(({ index, isDraft, documentId, texts }) => {
    const shown = seen[`${uidOf(model.types[index] as TypeModel)} ${isDraft ? 'draft' : 'published'}`] ?? '';
    const line = shown.split('\n').find((each) => each.includes(documentId)) ?? '';
    return texts.filter((text) => !line.includes(`${text}"`)).map((text) => `${documentId}: ${text}`);
  });

/** What is seen of all other documents. */
export const withoutWritten = ({ acknowledged }: Writing, seen: Seen): Seen =>
  Object.fromEntries(
    Object.entries(seen).map(([subject, text]) => {
      const isOther = (line: string) => !acknowledged.some(({ documentId }) => line.includes(documentId));
      // Lists of ids grow by them.
      const named = acknowledged.reduce(
        (all, { documentId }) => all.replaceAll(new RegExp(`,?"${documentId}"`, 'g'), ''),
        text,
      );
      const lines = subject === 'rights' ? named.replaceAll('[,', '[') : text;
      const others = subject === 'rights' ? lines.split('\n') : lines.split('\n').filter(isOther);
      return [subject, others.toSorted().join('\n')];
    }),
  );
