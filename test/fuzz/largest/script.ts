/**
 * @module Every kind of request to a project, each as large as its limits allow. A failure says which.
 */
import { env } from 'cloudflare:workers';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron, type Send, serveRegistry } from '../../support/app.ts';
import { legibleDatabase, legibleSession } from '../../support/legible-session.ts';
import { bearer, createToken, sendJson } from '../../support/recorded.ts';
import { formOf, TEXT, uploadOne } from '../../support/uploads.ts';
import { register } from '../../support/users.ts';
import type { World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: the JSON of any response
type Json = any;

const MAX_PARAMETERS = 100;
/** Limits of a response that an error names. */
const NAMED = ['answerRows', 'answerBytes'];
const MAX_BYTES = 100_000;
/** Of one batch; the limit of an invocation is counted by the product. */
const MAX_STATEMENTS = 1_000;

/** What D1 was sent beyond its limits, and what it rejected. It enforces the limits of compounds and depth itself. */
function checkedDatabase(failures: string[]): D1Database {
  const encoder = new TextEncoder();
  const checked = (session: D1DatabaseSession) =>
    legibleSession(session, async (statements, texts, values) => {
      if (texts.length > MAX_STATEMENTS) failures.push(`${texts.length} statements`);
      for (const [index, sql] of texts.entries()) {
        const bytes = encoder.encode(sql).length;
        const parameters = values[index]?.length ?? 0;
        if (bytes > MAX_BYTES || parameters > MAX_PARAMETERS)
          failures.push(`${bytes} bytes, ${parameters} parameters: ${sql.slice(0, 300)}`);
      }
      try {
        return await session.batch(statements);
      } catch (error) {
        const isOwn = /bad JSON path|UNIQUE constraint/.test(String(error));
        if (!isOwn) failures.push(String(error));
        throw error;
      }
    });
  return legibleDatabase((constraint) => checked(env.DB.withSession(constraint)));
}

/** Runs all requests of one caller. */
class Run {
  readonly failures: string[] = [];
  readonly #send: Send;
  readonly #measured: Send;
  readonly #world: World;
  #token = 'full';
  #caller = 'full';

  constructor(world: World) {
    const settings: SettingsInput = world.settings;
    const bindings = { DB: checkedDatabase(this.failures) };
    this.#world = world;
    this.#send = serveRegistry(world.registry, settings, bindings);
    // A response of as many rows as a page is measured before it is read.
    const api = { rest: { limits: { answerRows: 100 } } };
    this.#measured = serveRegistry(world.registry, { ...settings, api }, bindings);
  }

  async #request(what: string, path: string, init: RequestInit, send = this.#send): Promise<Json> {
    const before = this.failures.length;
    const response = await send(path, init);
    const text = await response.text();
    const body: Json = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null;
    const limit = body?.error?.details?.limit;
    // Refusals that name the limit: of a response, and of the statements of an invocation.
    const isNamed = NAMED.includes(limit) || (limit === 'statements' && this.#world.passesStatements);
    const isFine = response.ok || isNamed;
    const found = this.failures.splice(before);
    for (const failure of found) this.failures.push(`${this.#caller}: ${what}: ${failure}`);
    if (!isFine && found.length === 0)
      this.failures.push(`${this.#caller}: ${what}: ${response.status} ${text.slice(0, 300)}`);
    return body?.data ?? body;
  }

  get = (what: string, path: string) => this.#request(what, path, bearer(this.#token));

  /** Reads a list also as one that is measured first. */
  async list(what: string, path: string): Promise<Json> {
    const page = `${path}${path.includes('?') ? '&' : '?'}pagination[pageSize]=100`;
    await this.#request(`${what}, measured`, page, bearer(this.#token), this.#measured);
    await this.get(what, path);
    return this.get(`${what}, cached`, path);
  }

  send = (what: string, method: string, path: string, data?: object) =>
    this.#request(what, path, sendJson(method, this.#token, data ? { data } : {}));

  batch = (what: string, requests: readonly object[]) =>
    this.#request(what, '/api/batch', sendJson('POST', this.#token, { requests }));

  remove = (what: string, path: string) => this.#request(what, path, { method: 'DELETE', ...bearer(this.#token) });

  async attach(what: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const init = { method: 'POST', ...bearer(this.#token), body: formOf([TEXT], fields) };
    await this.#request(what, '/api/upload', init);
  }

  cron(): Promise<void> {
    const { registry, settings } = this.#world;
    return runCron(registry, settings, { DB: checkedDatabase(this.failures) });
  }

  /** Signs a user in, whose role has conditions. */
  async signIn(): Promise<void> {
    this.#caller = 'user';
    this.#token = (await register(this.#send, 'zoe')).jwt;
  }

  upload = () => uploadOne(this.#send, TEXT);
}

const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Values for an article: some of each attribute, or as many as a body may have. */
function articleData({ registry, isLarge }: World, made: Json, title: string): Record<string, Json> {
  const article = registry.contentTypes.get('api::article.article');
  const count = isLarge('body') ? 1_000 : 3;
  const zone = article?.attributes.get('sections');
  const components = zone?.kind === 'dynamiczone' ? zone.components : [];
  const seo = { metaTitle: 'M', image: made.file, author: made.author };
  const section = (index: number) => {
    const uid = components[index % components.length] as string;
    const inner = registry.components.get(uid)?.attributes.get('to');
    const to = inner?.kind === 'relation' && inner.target.startsWith('api::author') ? made.author : undefined;
    const links = [{ label: 'L', code: `${title} ${index}` }];
    return { __component: uid, [`text${uid.replace(/\D/g, '')}`]: 'T', picture: made.file, links, ...(to && { to }) };
  };
  const data: Record<string, Json> = {
    title,
    author: made.author,
    tags: { set: list(count, () => made.tag) },
    gallery: list(count, () => made.file),
    related: made.related,
    subject: made.related[0],
    cover: made.file,
    seo,
    sections: list(isLarge('body') ? 400 : Math.min(components.length, 110), section),
  };
  for (const attribute of article?.attributes.values() ?? []) {
    const { name } = attribute;
    if (!/^(scalar|relation|medium|part|unique)\d+$/.test(name)) continue;
    if (attribute.kind === 'media') data[name] = attribute.multiple ? [made.file] : made.file;
    if (attribute.kind === 'relation' && /author|tag/.test(attribute.target))
      data[name] = attribute.target.includes('author') ? made.author : made.tag;
    if (attribute.kind === 'component') data[name] = attribute.repeatable ? [seo] : seo;
    if (attribute.kind === 'scalar' && attribute.type === 'string') data[name] = `${title} ${name}`;
  }
  return data;
}

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

async function allRequests(run: Run, world: World, made: Json): Promise<void> {
  const { registry, isLarge } = world;
  const uids = [...registry.contentTypes.values()].filter(({ system }) => !system).map(({ uid }) => uid);
  const data = (title: string) => articleData(world, made, title);
  const { documentId } = await run.send('create', 'POST', '/api/articles', data('A'));
  const path = `/api/articles/${documentId}`;
  const draft = await run.send('create a draft', 'POST', '/api/articles?status=draft&populate=*', data('B'));
  for (const locale of ['fr', ...(isLarge('locales') ? ['de', 'ar'] : [])])
    await run.send(`update ${locale}`, 'PUT', `${path}?locale=${locale}`, data(`A ${locale}`));
  await run.send('update', 'PUT', path, data('A2'));
  const links = { connect: [made.related[0]], disconnect: [made.related.at(-1)] };
  await run.send('connect', 'PUT', `${path}?status=draft`, { related: links, tags: { connect: [made.tag] } });
  for (const action of ['publish', 'unpublish', 'publish', 'discard-draft'])
    await run.send(action, 'POST', `${path}/actions/${action}`);
  await run.send('schedule', 'POST', `${path}/actions/publish`, { at: TOMORROW });
  const [scheduled] = await run.get('list schedules', '/api/scheduled');
  if (scheduled) await run.remove('cancel', `/api/scheduled/${scheduled.id}`);

  await run.list('list', '/api/articles');
  await run.list('populate *', '/api/articles?populate=*');
  await run.list('all drafts', '/api/articles?populate=*&status=draft&locale=*');
  await run.list('pages by cursor', '/api/articles?sort=title,rating,author.name&pagination[cursor]=');
  await run.list('search', '/api/articles?_q=A&sort=author.name&filters[tags][name][$ne]=x&filters[seo][metaTitle]=M');
  await run.list('zone', '/api/articles?populate[sections][populate]=*');
  const parts = registry.contentTypes.get('api::article.article')?.attributes.get('sections');
  const components = parts?.kind === 'dynamiczone' ? parts.components : [];
  const on = components.map((uid) => `populate[sections][on][${uid}][populate]=*`).join('&');
  await run.list('fragments', `/api/articles?${on}`);
  const typed = uids.map((uid) => `populate[related][on][${uid}]=true`).join('&');
  await run.list('polymorphic', `/api/articles?${typed}`);
  await run.list('related documents', '/api/authors?populate[articles][populate]=*');
  const conditions = list(isLarge('body') ? 200 : 5, (index) => `filters[$or][${index}][title][$eq]=x${index}`).join(
    '&',
  );
  await run.list('conditions', `/api/articles?${conditions}&populate=*`);

  const [first] = (await run.get('history', `${path}/history`)) ?? [];
  const revision = first?.revision;
  await run.get('former version', `${path}/history/${revision}`);
  await run.get('populated former version', `${path}/history/${revision}?populate=*`);
  await run.send('restore', 'POST', `${path}/actions/restore`, { revision });
  await run.get('all changes', '/api/history');

  await run.list('files', '/api/upload/files');
  await run.get('files and uses', '/api/upload/files?populate=related');
  await run.get('unused files', '/api/upload/files/page?unused=true');
  await run.get('file and uses', `/api/upload/files/${made.file}?populate=related`);
  // A grant with conditions attaches no files.
  const author = { ref: 'api::author.author', refId: made.author, field: 'picture' };
  await run.attach('attach', made.name === 'full' ? author : {});

  const small = list(isLarge('body') ? 40 : 5, (index) => ({
    method: 'POST',
    path: '/api/tags',
    body: { data: { name: `${made.name} ${index}` } },
  }));
  const articles = list(2, (index) => ({
    method: 'POST',
    path: '/api/articles',
    body: { data: { title: `batch ${index}`, tags: ['$ref:0', '$ref:1'], related: [made.related[0]] } },
  }));
  await run.batch('batch', [
    ...small,
    ...articles,
    { method: 'PUT', path, body: { data: { title: 'A3', tags: ['$ref:2'] } } },
  ]);
  await run.remove('delete a locale', `${path}?locale=fr`);
  await run.remove('delete with filters', `/api/articles/${draft.documentId}?filters[title]=B&locale=*`);
  await run.remove('delete', `${path}?locale=*`);
}

/** @returns what went wrong */
export async function runScript(world: World): Promise<readonly string[]> {
  const run = new Run(world);
  await createToken('full', 'full-access');
  const file = await run.upload();
  const author = await run.send('author', 'POST', '/api/authors', { name: 'Ann', picture: file.id });
  const tag = await run.send('tag', 'POST', '/api/tags', { name: 'news' });
  const related: Json[] = [];
  for (const { uid, system, kind, pluralName } of world.registry.contentTypes.values())
    if (!system && kind === 'collectionType' && !/article|author|tag/.test(uid)) {
      const { documentId } = await run.send('target', 'POST', `/api/${pluralName}`, { title: 'T' });
      related.push({ __type: uid, documentId });
    }
  related.push({ __type: 'api::tag.tag', documentId: tag.documentId });
  const made = { file: file.id, author: author.documentId, tag: tag.documentId, related };
  await allRequests(run, world, { ...made, name: 'full' });
  await run.signIn();
  await allRequests(run, world, { ...made, name: 'zoe' });
  await run.cron();
  return run.failures;
}
