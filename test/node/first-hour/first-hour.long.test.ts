/**
 * @module The first hour of somebody new: the README from top to bottom, then content types of their own, changed in all
 * the ways that people change them, while the server runs and somebody reads.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../cli/core/local-server.ts';
import { type Clone, cleanClone, interrupt, newerPath, type Running } from './clone.ts';
import { runPages } from './pages.ts';
import { type Reader, startReading } from './reader.ts';

const HOUR = 240_000;
const PATIENCE = 60_000;

let clone: Clone;
let port: number;
beforeAll(async () => {
  clone = cleanClone();
  port = await freePort();
});
afterAll(() => clone.remove());

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function bookSchema(attributes: object): string {
  const info = { singularName: 'book', pluralName: 'books', displayName: 'Book' };
  return json({
    kind: 'collectionType',
    collectionName: 'books',
    info,
    options: { draftAndPublish: true },
    attributes,
  });
}

const noteSchema = (attributes: object): string =>
  json({ collectionName: 'components_shared_notes', info: { displayName: 'Note' }, options: {}, attributes });

const STRING = { type: 'string' };
const NOTES = { type: 'component', component: 'shared.note', repeatable: true };
const SHELF = { type: 'relation', relation: 'manyToOne', target: 'api::shelf.shelf', inversedBy: 'books' };
const BOOK = { title: { ...STRING, required: true }, notes: NOTES, shelf: SHELF };
const BOOK_FILE = 'content-types/book/schema.json';
const NOTE_FILE = 'content-types/components/shared/note.json';

/** Replaces the demo with two content types and a component. */
function replaceDemo(): void {
  for (const path of ['content-types', 'demo', 'drizzle', '.wrangler/state'])
    rmSync(join(clone.root, path), { recursive: true, force: true });
  clone.save(
    'edgewise.config.ts',
    "import { defineConfig } from 'edgewise';\n\nexport default defineConfig({\n  roles: {},\n  history: true,\n});\n",
  );
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(clone.root, path)), { recursive: true });
    writeFileSync(join(clone.root, path), text);
  };
  const info = { singularName: 'shelf', pluralName: 'shelves', displayName: 'Shelf' };
  const books = { type: 'relation', relation: 'oneToMany', target: 'api::book.book', mappedBy: 'shelf' };
  put(BOOK_FILE, bookSchema(BOOK));
  put(
    'content-types/shelf/schema.json',
    json({ kind: 'collectionType', collectionName: 'shelves', info, options: {}, attributes: { name: STRING, books } }),
  );
  put(NOTE_FILE, noteSchema({ text: STRING }));
}

async function serve(): Promise<Running> {
  const server = clone.start('npm', 'run', 'dev', '--', '--port', String(port));
  await server.says('Ctrl-C stops the server');
  return server;
}

const api = (path: string): string => `http://127.0.0.1:${port}/api/${path}`;

interface Answer {
  readonly status: number;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

async function books(query = ''): Promise<Answer> {
  const answer = await fetch(api(`books?${query}`));
  const { data = [] } = (await answer.json()) as { readonly data?: Answer['data'] };
  return { status: answer.status, data };
}

/** Asks until the answer is as expected; what was saved needs a moment. */
async function untilBooks(query: string, isThere: (answer: Answer) => boolean): Promise<Answer> {
  let answer = await books(query);
  for (const limit = Date.now() + PATIENCE; !isThere(answer); answer = await books(query)) {
    if (Date.now() > limit) throw new Error(`still answered: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return answer;
}

const attributes = (answer: Answer): readonly string[] => Object.keys(answer.data[0] ?? {});
const has = (name: string) => (answer: Answer) => attributes(answer).includes(name);

async function token(): Promise<string> {
  const { output } = await clone.run('npx', 'edgewise', 'token', 'create', '--name', 'w', '--type', 'full-access');
  return /[0-9a-f]{64}/.exec(output)?.[0] ?? output;
}

describe('the first hour', { timeout: HOUR }, () => {
  it('begins with the README: the first answer has the demo content, and every request is answered as it says', async () => {
    const server = clone.start('npm', 'run', 'dev', '--', '--port', String(port));
    let first: Response | undefined;
    while (!first) first = await fetch(api('articles')).catch(() => undefined);
    expect(await first.json()).toMatchObject({ meta: { pagination: { total: 9 } } });
    await server.says('Ctrl-C stops the server');
    const { ended, requests } = await runPages(clone, port);
    expect(ended.output).not.toMatch(/unbound variable|command not found/);
    expect(requests.length).toBeGreaterThan(2);
    expect(requests.filter((line) => /^(5|000)/.test(line))).toEqual([]);
    const refused = requests.filter((line) => !line.startsWith('2'));
    expect(refused).toEqual([]);
    expect((await interrupt(server)).output.trim().split('\n').at(-1)).toBe('Stopped.');
  });

  describe('goes on with other content types', () => {
    let server: Running;
    let reader: Reader;
    let writer: string;

    /** Where in the output of the server the last change begins. */
    let mark = 0;
    const save = (path: string, text: string) => {
      mark = server.output().length;
      clone.save(path, text);
    };
    const untilSaid = async (text: string | RegExp) => {
      const isSaid = () => server.output().slice(mark).search(text) >= 0;
      for (const limit = Date.now() + PATIENCE; !isSaid(); await new Promise((resolve) => setTimeout(resolve, 50)))
        if (Date.now() > limit) throw new Error(`it did not say ${text}, but:\n${server.output().slice(mark)}`);
    };
    const saveBook = (change: object) => save(BOOK_FILE, bookSchema({ ...BOOK, ...change }));
    const generate = (...args: readonly string[]) => clone.run('npx', 'edgewise', 'generate', ...args);
    const write = (path: string, data: object, method = 'POST') => {
      const headers = { authorization: `Bearer ${writer}`, 'content-type': 'application/json' };
      return fetch(api(path), { method, headers, body: JSON.stringify({ data }) });
    };

    beforeAll(async () => {
      replaceDemo();
      expect((await generate()).code).toBe(0);
      server = await serve();
      reader = startReading(api('books'));
      writer = await token();
    }, HOUR);

    afterAll(async () => {
      await interrupt(server);
    }, HOUR);

    it('that nobody may read at first, until the settings say so', async () => {
      expect((await books()).status).toBe(403);
      const config = readFileSync(join(clone.root, 'edgewise.config.ts'), 'utf8');
      expect(config).toContain('roles: {}');
      clone.save('edgewise.config.ts', config.replace('roles: {}', "roles: { public: ['api::book.book.find'] }"));
      await untilBooks('', ({ status }) => status === 200);
      const notes = [{ text: 'read it twice' }];
      expect((await write('books', { title: 'Walden', notes })).status).toBe(200);
    });

    it('where an attribute is added, filled, and gets its migration at the end', async () => {
      saveBook({ year: { type: 'integer' } });
      await untilBooks('', has('year'));
      await server.says('npx edgewise generate --name');
      const [{ documentId }] = (await books()).data as [{ readonly documentId: string }];
      expect((await write(`books/${documentId}`, { year: 1854 }, 'PUT')).status).toBe(200);
      expect((await generate('--name', 'Add years')).output).toContain('_add_years.sql');
      await untilBooks('', ({ data }) => data[0]?.year === 1854);
    });

    it('where a typo is saved and mended, and nothing is missing', async () => {
      const { title: _, ...rest } = BOOK;
      save(BOOK_FILE, bookSchema({ ...rest, titel: STRING, year: { type: 'integer' } }));
      await untilSaid('book.title: removed');
      expect((await books()).data[0]).toMatchObject({ title: 'Walden' });
      await untilSaid('npx edgewise generate --rename book.title=titel');
      saveBook({ year: { type: 'integer' } });
      await untilSaid('The files are valid again.');
      const mended = await books();
      expect(mended.data[0]).toMatchObject({ title: 'Walden', year: 1854 });
      expect(attributes(mended)).not.toContain('titel');
      expect((await generate('--check')).output).toContain('up to date');
    });

    it('where files are broken, and the last valid version is served', async () => {
      save(BOOK_FILE, '{ "kind": ');
      await untilSaid(/book\/schema\.json.*\n.*The last valid version/);
      expect((await books()).data[0]).toMatchObject({ title: 'Walden' });
      saveBook({ year: { type: 'integer' } });
      await untilSaid('The files are valid again.');
      const path = 'edgewise.config.ts';
      const config = readFileSync(join(clone.root, path), 'utf8');
      save(path, config.replace('roles', 'rolls'));
      await untilSaid('rolls');
      expect((await books()).status).toBe(200);
      save(path, config);
      await untilSaid('The files are valid again.');
    });

    it('where an attribute of a type and one of a component are renamed in another terminal', async () => {
      saveBook({ published: { type: 'integer' } });
      await untilSaid('book.year: removed');
      await generate('--rename', 'book.year=published');
      expect((await untilBooks('', ({ data }) => data[0]?.published === 1854)).data[0]).not.toHaveProperty('year');
      clone.save(NOTE_FILE, noteSchema({ body: STRING }));
      expect((await generate('--rename', 'shared.note.text=body')).code).toBe(0);
      await untilBooks('populate=notes', ({ data }) => JSON.stringify(data).includes('"body":"read it twice"'));
    });

    it('where an attribute and a content type are removed, and what was stored goes only when that is said', async () => {
      saveBook({});
      await untilSaid('book.published: removed');
      expect((await generate()).output).toContain('book.published: removed');
      expect((await generate('--allow-drop', '--name', 'Drop years')).code).toBe(0);
      await untilBooks('', (answer) => !has('published')(answer));
      const { shelf: _, ...rest } = BOOK;
      clone.save(BOOK_FILE, bookSchema(rest));
      rmSync(join(clone.root, 'content-types/shelf'), { recursive: true });
      expect((await generate('--allow-drop')).code).toBe(0);
      const isGone = async () => (await fetch(api('shelves'))).status === 404;
      for (const limit = Date.now() + PATIENCE; !(await isGone()) && Date.now() < limit; );
      expect(await isGone(), server.output()).toBe(true);
    });

    it('where git brings an earlier state back, and nobody has seen an error all the while', async () => {
      const git = (...args: readonly string[]) =>
        clone.run('git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args);
      await git('init', '-q');
      await git('add', '-A', '.');
      await git('commit', '-qm', 'One');
      saveBook({ shelf: undefined, subtitle: STRING });
      await untilBooks('', has('subtitle'));
      await git('checkout', '-q', '.');
      await untilBooks('', (answer) => !has('subtitle')(answer));
      const { title: _, shelf: __, ...rest } = BOOK;
      save(BOOK_FILE, bookSchema(rest));
      await untilSaid('book.title: removed');
      await git('checkout', '-q', '.');
      await untilSaid('The files are valid again.');
      expect(await reader.stop(), server.output()).toEqual([]);
      expect(reader.count()).toBeGreaterThan(100);
      expect((await generate('--check')).output).toContain('up to date');
    });

    it('and ends with the tests that are made of them', async () => {
      const { code, output } = await clone.run('npm', 'run', 'test:project', '--', '--reporter=verbose');
      expect(stripVTControlCharacters(output)).toMatch(/✓.*api::book\.book > creates a document/);
      expect(output).not.toContain('api::article.article');
      expect(code, output).toBe(0);
    });

    it('until the local database is deleted under the server, which says what to do', async () => {
      rmSync(join(clone.root, '.wrangler'), { recursive: true });
      const { code, output } = await server.ended;
      expect(output).toContain('.wrangler/state was deleted while npm run dev served it. Restart npm run dev');
      expect(output).not.toContain('not found');
      expect(code).toBe(1);
    });
  });
});

describe('the commands', { timeout: HOUR }, () => {
  it('run on the Node of the machine and on the one that came with the packages', async () => {
    const newer = cleanClone(newerPath);
    try {
      expect((await newer.run('npx', 'edgewise', 'generate', '--check')).output).toContain('up to date');
    } finally {
      newer.remove();
    }
  });
});
