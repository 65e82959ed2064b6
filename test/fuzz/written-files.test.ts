/**
 * @module An upload, a change or a delete of a file that is answered with 200 or 201 has done what it says, and nothing
 * else: after each one all files, their bytes, the objects in the bucket and the documents that use them are read. A
 * refused one changes nothing.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { serveRegistry } from '../support/app.ts';
import { documentOf, documentsOf } from '../support/client.ts';
import { type Dice, diceOf } from '../support/dice.ts';
import { checkInvariants } from '../support/invariants.ts';
import { bearer } from '../support/recorded.ts';
import {
  bytesAt,
  type FileAnswer,
  formOf,
  listedFiles,
  mismatches,
  objectKeys,
  postForm,
  type Sent,
} from '../support/uploads.ts';
import { openWorld } from '../support/world.ts';
import { parameters, progress, timeout } from './options.ts';
import {
  attached,
  attachingFrom,
  type Content,
  contentFrom,
  type Documents,
  deniedFrom,
  filesRegistry,
  type Info,
  infoFrom,
  kilobytes,
  type StoredFile,
  type Uses,
  type Words,
  without,
} from './written-files.ts';

const { client, send } = openWorld(filesRegistry);
/** Other bytes keep the URL here. */
const keeping = serveRegistry(filesRegistry, { upload: { replace: 'same-url' } });
const FILES = 4;

beforeAll(async () => {
  const { documentId } = await documentOf(client.create('/api/papers', { title: 'Both' }));
  await documentOf(client.update(`/api/papers/${documentId}?locale=fr`, { title: 'Les deux' }));
  await documentOf(client.create('/api/papers?status=draft', { title: 'Draft' }));
  for (const title of ['One', 'Two']) await documentOf(client.create('/api/slips', { title }));
});

interface State {
  readonly files: readonly StoredFile[];
  readonly documents: Documents;
}

const idOf = (file: unknown): string | null => (file as { documentId: string } | null)?.documentId ?? null;

async function readDocuments(): Promise<Documents> {
  const lists = ['papers?locale=*&status=draft&', 'papers?locale=*&', 'slips?'].map(async (path, index) => {
    const found = await documentsOf(client.get(`/api/${path}populate=cover,gallery`));
    return found.map((document): readonly [string, Uses] => {
      const key = `${path.startsWith('p') ? 'paper' : 'slip'}/${document.documentId}/${document.locale ?? ''}`;
      const gallery = (document.gallery as FileAnswer[]).map(({ documentId }) => documentId);
      const uses = { id: Number(document.id), cover: idOf(document.cover), gallery };
      return [`${key}/${index === 0 ? 'draft' : 'published'}`, uses];
    });
  });
  return Object.fromEntries((await Promise.all(lists)).flat());
}

const shownOf = ({ content, ...file }: StoredFile): Readonly<Record<string, unknown>> => {
  const { mime, width, height, formats, bytes } = content;
  return { ...file, mime, width, height, formats: [...formats], size: kilobytes(bytes) };
};

const readFiles = async (): Promise<readonly unknown[]> =>
  (await listedFiles(send, '?sort=id')).map((file) => ({
    ...shownWords(file),
    ...{ id: file.id, documentId: file.documentId, ext: file.ext, url: file.url, mime: file.mime },
    ...{ width: file.width, height: file.height, size: file.size },
    formats: Object.keys(file.formats ?? {}).sort(),
  }));

const shownWords = ({ name, alternativeText, caption, focalPoint }: FileAnswer) => ({
  ...{ name, alternativeText, caption, focalPoint },
});

async function checkBytes({ files }: State, said: string): Promise<void> {
  for (const { url, content, name } of files)
    expect(Buffer.from(await bytesAt(send, url)).equals(content.bytes), `${said}\nbytes of ${name}`).toBe(true);
  const objects = files.reduce((sum, { content }) => sum + 1 + content.formats.length, 0);
  expect((await objectKeys()).length, `${said}\nobjects in the bucket`).toBe(objects);
  const { orphans, strange, incomplete } = await mismatches();
  expect({ orphans, strange, incomplete }, said).toEqual({ orphans: [], strange: [], incomplete: [] });
}

/** What uses a file, told by the file. */
async function checkRelated({ id, documentId }: StoredFile, documents: Documents, said: string): Promise<void> {
  const response = await send(`/api/upload/files/${id}?populate=related`, bearer('full'));
  const { related } = (await response.json()) as { related: readonly { id: number; __type: string }[] };
  const wanted = Object.entries(documents).flatMap(([key, uses]) => {
    const [type] = key.split('/');
    return [uses.cover, ...uses.gallery]
      .filter((each) => each === documentId)
      .map(() => `api::${type}.${type}/${uses.id}`);
  });
  expect(related.map((use) => `${use.__type}/${use.id}`).sort(), said).toEqual(wanted.sort());
}

interface Attempt {
  readonly said: string;
  readonly response: Response;
  /** Undefined: the write is to be refused. */
  readonly after: ((answer: readonly FileAnswer[]) => State) | undefined;
  /** URLs that nothing is under afterwards. */
  readonly gone?: readonly string[];
}

/** A text without an extension gets that of its type. */
const extensionOf = ({ sent: { name } }: Content): string => /\.\w+$/.exec(name)?.[0] ?? '.txt';

/** What the model cannot know is taken from the answer, and compared with what is read later. */
function stored(answer: FileAnswer | undefined, content: Content, words: Words): StoredFile {
  const { id = 0, documentId = '', url = '' } = answer ?? {};
  const unsaid = { name: content.sent.name.normalize(), alternativeText: null, caption: null, focalPoint: null };
  return { ...unsaid, ...words, id, documentId, url, ext: extensionOf(content), content };
}

/** `fileInfo` in one of its forms. */
function withInfos(form: FormData, infos: readonly Info[], dice: Dice): void {
  const sent = infos.map((info) => info.sent);
  const isList = infos.length > 1 ? dice.once(2) : dice.once(3);
  if (isList) form.append('fileInfo', JSON.stringify(sent));
  else for (const info of sent) form.append('fileInfo', JSON.stringify(info));
}

const describeForm = (form: FormData): string =>
  JSON.stringify([...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]));

async function attemptUpload({ files, documents }: State, dice: Dice): Promise<Attempt> {
  const contents: Content[] = [];
  for (let count = 1 + dice.below(3); count > 0; count -= 1) contents.push(await contentFrom(dice));
  const denied = dice.once(12) ? deniedFrom(dice) : undefined;
  const parts: readonly Sent[] = [...contents.map(({ sent }) => sent), ...(denied ? [denied] : [])];
  const form = formOf(parts);
  const infos = dice.once(3) ? undefined : parts.map(() => infoFrom(dice));
  if (infos) withInfos(form, infos, dice);
  const attaching = dice.once(2) ? attachingFrom(documents, dice) : undefined;
  for (const [name, value] of Object.entries(attaching?.fields ?? {})) form.append(name, value);
  const response = await postForm(send, form);
  const isWrong = denied || infos?.some(({ words }) => !words) || (attaching && !attaching.keys);
  const after = (answers: readonly FileAnswer[]): State => {
    const added = contents.map((content, index) => stored(answers[index], content, infos?.[index]?.words ?? {}));
    const ids = added.map(({ documentId }) => documentId);
    return { files: [...files, ...added], documents: attaching ? attached(documents, attaching, ids) : documents };
  };
  return { said: `POST upload ${describeForm(form)}`, response, after: isWrong ? undefined : after };
}

const replaced = (state: State, file: StoredFile, changed: Partial<StoredFile>): State => ({
  ...state,
  files: state.files.map((each) => (each === file ? { ...each, ...changed } : each)),
});

const nameOf = ({ id, documentId }: StoredFile, dice: Dice): unknown => dice.pick<unknown>([id, documentId]);

async function attemptWords(state: State, file: StoredFile, dice: Dice): Promise<Attempt> {
  const { sent, words } = infoFrom(dice);
  const query = `?id=${nameOf(file, dice)}`;
  const json = JSON.stringify({ fileInfo: sent });
  const response = dice.once(2)
    ? await postForm(send, json, query, 'full', 'application/json')
    : await postForm(send, formOf([], { fileInfo: JSON.stringify(sent) }), query);
  return { said: `POST upload${query} ${json}`, response, after: words && (() => replaced(state, file, words)) };
}

async function attemptBytes(state: State, file: StoredFile, dice: Dice): Promise<Attempt> {
  const [content, keeps, denied] = [await contentFrom(dice), dice.once(2), dice.once(8) ? deniedFrom(dice) : undefined];
  const { sent, words } = dice.once(2) ? infoFrom(dice) : { sent: undefined, words: {} };
  const form = formOf([denied ?? content.sent], sent && { fileInfo: JSON.stringify(sent) });
  const query = `?id=${nameOf(file, dice)}`;
  const response = await postForm(keeps ? keeping : send, form, query);
  const name = content.sent.name.normalize();
  const after = ([answer]: readonly FileAnswer[]): State => {
    const own = keeps ? {} : { url: answer?.url ?? '', ext: extensionOf(content) };
    return replaced(state, file, { name, ...words, content, ...own });
  };
  const isWrong = denied || !words;
  const said = `POST upload${query} ${keeps ? 'to the same URL ' : ''}${describeForm(form)}`;
  return { said, response, after: isWrong ? undefined : after, gone: isWrong || keeps ? [] : [file.url] };
}

/** A document that is linked to files by its own write. */
async function attemptLink(state: State, dice: Dice): Promise<Attempt> {
  const keys = Object.keys(state.documents).filter((key) => /^slip|\/en\/draft$/.test(key)) as [string, ...string[]];
  const key = dice.pick(keys);
  const [type, documentId] = key.split('/');
  const gallery = state.files.filter(() => dice.once(2));
  const [cover] = state.files.filter(() => dice.once(3));
  const data = { cover: cover?.id ?? null, gallery: gallery.map((file) => nameOf(file, dice)) };
  const response = await client.update(`/api/${type}s/${documentId}?status=${key.split('/')[3]}`, data);
  const links = { cover: cover?.documentId ?? null, gallery: gallery.map((file) => file.documentId) };
  const uses = { ...state.documents[key], ...links } as Uses;
  const after = (): State => ({ ...state, documents: { ...state.documents, [key]: uses } });
  return { said: `PUT ${key} ${JSON.stringify(data)}`, response, after };
}

async function attempt(state: State, dice: Dice): Promise<Attempt> {
  const { files, documents } = state;
  const file = files[dice.below(files.length)];
  if (!file || (files.length < FILES && dice.once(2))) return attemptUpload(state, dice);
  if (dice.once(6)) return attemptLink(state, dice);
  if (dice.once(5) || files.length > FILES) {
    const response = await send(`/api/upload/files/${file.id}`, { method: 'DELETE', ...bearer('full') });
    const after = (): State => ({
      files: files.filter((each) => each !== file),
      documents: without(documents, file.documentId),
    });
    return { said: `DELETE file ${file.id}`, response, after, gone: [file.url] };
  }
  if (dice.once(12)) {
    const response = await postForm(send, formOf([], { fileInfo: '{"caption":"x"}' }), '?id=99999');
    return { said: 'POST upload?id=99999', response, after: undefined };
  }
  return dice.once(2) ? attemptWords(state, file, dice) : attemptBytes(state, file, dice);
}

it('is done as a whole, or refused and not done', { timeout }, async () => {
  const { numRuns, seed } = parameters('written files');
  const tick = progress('written files');
  const dice = diceOf(seed);
  let state: State = { files: [], documents: await readDocuments() };
  // Each write is followed by a reading of everything.
  const runs = Math.ceil(numRuns / 10);
  for (let run = 0; run < runs; run += 1) {
    const { said: sent, response, after, gone = [] } = await attempt(state, dice);
    const text = await response.text();
    const said = `run ${run} of seed ${seed}: ${sent}\n${response.status} ${text.slice(0, 500)}`;
    expect(response.status < 300, said).toBe(after !== undefined);
    expect(response.status, said).toBeLessThan(500);
    if (after) state = after([JSON.parse(text)].flat());
    expect(await readFiles(), said).toEqual(state.files.map(shownOf));
    expect(await readDocuments(), said).toEqual(state.documents);
    await checkBytes(state, said);
    for (const url of gone) expect((await send(url)).status, said).toBe(404);
    const last = state.files.at(-1);
    if (last) await checkRelated(last, state.documents, said);
    tick();
  }
  expect(await checkInvariants(env.DB, filesRegistry)).toEqual([]);
});
