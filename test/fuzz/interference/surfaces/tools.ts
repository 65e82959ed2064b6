/**
 * @module Tools for agents: the requests of other surfaces as calls of tools, and what only tools do.
 */
import fc from 'fast-check';
import { parse } from 'qs';
import { PATHS } from '../content.ts';
import { type CallerName, documentIdOf } from '../names.ts';
import { either, type Requests, SINGLES } from '../requests.ts';
import { type Planned, requested, type Step } from '../step.ts';
import { ofOne } from './history.ts';
import { publication, schedule } from './publication.ts';
import { read } from './reads.ts';
import { create, remove, update } from './writes.ts';

/** A call of a tool. */
export const toolCall = (name: string, args: object): Planned => ({
  method: 'POST',
  path: '/mcp',
  json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
});

const ACTIONS: Readonly<Record<string, string>> = { 'discard-draft': 'discardDraft' };
const NAMES: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', DELETE: 'delete' };
const isSingle = (type: string): boolean => SINGLES.some((name) => name === type);

/** `GET /api/stories/<id>?populate=*` as a call of `get`. What is decided is decided at once, on the revision read last. */
export function asTool({ method, path, json }: Planned): Planned {
  const [target = '', search = ''] = path.split('?');
  const [, , type = '', second] = target.split('/');
  const documentId = isSingle(type) ? undefined : second;
  const [, action] = /\/actions\/([\w-]+)$/.exec(target) ?? [];
  const { locale, ...query } = parse(search, { depth: 20 });
  const document = { type, ...(documentId !== undefined && { documentId }), ...(locale !== undefined && { locale }) };
  const { data } = (json ?? {}) as { data?: { at?: string; revision?: string } };
  const revision = { revision: '{revision}' };
  if (method === 'GET' || method === 'HEAD') {
    const [, version] = /\/history\/(.+)$/.exec(target) ?? [];
    if (version !== undefined) return toolCall('history', { ...document, version });
    const name = documentId === undefined && !isSingle(type) ? 'find' : 'get';
    return toolCall(target.endsWith('/history') ? 'history' : name, { ...document, ...query });
  }
  if (action === 'restore') return toolCall('restore', { ...document, version: data?.revision });
  if (action === 'preview-link') return toolCall('preview_link', document);
  if (action !== undefined) {
    const at = data?.at !== undefined && { at: data.at };
    const named = { action: ACTIONS[action] ?? action, ...at };
    return toolCall('change_publication', { ...document, ...named, dryRun: false, ...revision });
  }
  if (method === 'DELETE') return toolCall('delete', { ...document, dryRun: false, ...revision });
  return toolCall(NAMES[method] ?? 'find', { ...document, data, ...(method === 'PUT' && revision) });
}

const called = ({ json }: Planned) => (json as { params: { name: string; arguments: object } }).params;

/** Returns what would happen instead of doing it. */
function dry(planned: Planned): Planned {
  const { name, arguments: args } = called(planned);
  return toolCall(name, { ...args, dryRun: true });
}

const VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol/';
const YES = { inputResponses: { confirm: { action: 'accept', content: { confirm: true } } } };

/** Lets the server ask a person, who decides on the document as it is. @param more the response of the person */
function asking(planned: Planned, more: object = {}): Planned {
  const { name, arguments: args } = called(planned);
  const _meta = { [`${META}protocolVersion`]: VERSION, [`${META}clientCapabilities`]: { elicitation: {} } };
  const params = { name, arguments: { ...args, dryRun: undefined, revision: undefined }, _meta, ...more };
  return {
    ...planned,
    headers: { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': name },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  };
}

/** Creates and updates as one call. */
const together: Requests = (caller) =>
  fc.array(fc.oneof(create(caller), update(caller)), { minLength: 1, maxLength: 3 }).map((writes) =>
    toolCall('batch', {
      requests: writes.map(asTool).map((write) => ({ action: called(write).name, ...called(write).arguments })),
    }),
  );

const upload = fc
  .constantFrom('new.txt', 'new.html', 'new')
  .map((name) => toolCall('upload', { name, mimeType: 'text/plain', base64: btoa('new bytes'), caption: 'new' }));

const decision: Requests = (caller) => fc.oneof(publication(caller), schedule(caller), remove(caller)).map(asTool);

const types = fc.constantFrom(...Object.values(PATHS), ...SINGLES);
const words = fc.constantFrom('story', 'secret', 'hidden', 'taken', 'title');
const ids = fc.constantFrom('story1', 'story4', 'storyh1', 'chapter1', 'chapterh1').map(documentIdOf);
const misspelt = fc.constantFrom('titel', 'ownr', 'audienc', 'nope');

const own: fc.Arbitrary<Planned> = fc.oneof(
  types.map((type) => toolCall('describe', { type })),
  fc.constant(toolCall('describe', {})),
  words.map((text) => toolCall('search', { text })),
  fc.tuple(words, types).map(([text, type]) => toolCall('search', { text, types: [type] })),
  ids.map((documentId) => toolCall('history', { type: 'stories', documentId })),
  ids.map((documentId) => toolCall('get', { type: 'stories', documentId, populate: '*' })),
  fc.tuple(types, misspelt).map(([type, name]) => toolCall('find', { type, filters: { [name]: { $eq: 'x' } } })),
  fc.tuple(types, misspelt).map(([type, name]) => toolCall('create', { type, data: { [name]: 'x' } })),
  fc.constantFrom('tools/list', 'resources/list').map((method): Planned => {
    return { method: 'POST', path: '/mcp', json: { jsonrpc: '2.0', id: 1, method } };
  }),
);

export const tools: Requests = (caller) =>
  fc.oneof(
    { weight: 6, arbitrary: read(caller).map(asTool) },
    { weight: 2, arbitrary: create(caller).map(asTool) },
    { weight: 3, arbitrary: update(caller).map(asTool) },
    { weight: 2, arbitrary: decision(caller) },
    { weight: 2, arbitrary: decision(caller).map(dry) },
    { weight: 2, arbitrary: together(caller) },
    { weight: 1, arbitrary: upload },
    { weight: 4, arbitrary: own },
  );

/** The second call after a dry run. */
function confirmed(planned: Planned): Planned {
  const { name, arguments: args } = called(planned);
  return toolCall(name, { ...args, dryRun: false, revision: '{revision}' });
}

/** A question, and the yes of a person; or a dry run, and the call that it confirms: each for the same action or another. */
export const confirmations = (caller: CallerName): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(decision(caller), either(4, fc.constant(undefined), decision(caller)), fc.boolean())
    .map(([one, other = one, isAsked]) =>
      (isAsked ? [asking(one), asking(other, { requestState: '{state}', ...YES })] : [dry(one), confirmed(other)]).map(
        requested,
      ),
    );

/** Lists former versions, then shows or restores one. */
export const historyTools = (): fc.Arbitrary<readonly Step[]> =>
  ofOne().map((steps) => steps.map((step) => (step.kind === 'request' ? requested(asTool(step.request)) : step)));
