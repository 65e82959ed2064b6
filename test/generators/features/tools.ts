/**
 * @module Tools for agents: the requests of other surfaces as calls of tools, and what only tools do.
 */
import fc from 'fast-check';
import { parse } from 'qs';
import type { ContentType, Registry } from '../../../src/schema/model.ts';
import { type Planned, requested, type Step } from '../step.ts';
import { documentFor, either, isSingle, type Requests, type Subject } from '../subject.ts';
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

/** `GET /api/stories/<id>?populate=*` as a call of `get`. What is decided is decided at once, on the revision read last. */
export function asTool({ method, path, json }: Planned, { routes }: Registry): Planned {
  const [target = '', search = ''] = path.split('?');
  const [, , type = '', second] = target.split('/');
  const single = routes.get(type)?.kind === 'singleType';
  const documentId = single ? undefined : second;
  const [, action] = /\/actions\/([\w-]+)$/.exec(target) ?? [];
  const { locale, ...query } = parse(search, { depth: 20 });
  const document = { type, ...(documentId !== undefined && { documentId }), ...(locale !== undefined && { locale }) };
  const { data } = (json ?? {}) as { data?: { at?: string; revision?: string } };
  const revision = { revision: '{revision}' };
  if (method === 'GET' || method === 'HEAD') {
    const [, version] = /\/history\/(.+)$/.exec(target) ?? [];
    if (version !== undefined) return toolCall('history', { ...document, version });
    const name = documentId === undefined && !single ? 'find' : 'get';
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
const together: Requests = (subject) =>
  fc.array(fc.oneof(create(subject), update(subject)), { minLength: 1, maxLength: 3 }).map((writes) =>
    toolCall('batch', {
      requests: writes
        .map(toolOf(subject))
        .map((write) => ({ action: called(write).name, ...called(write).arguments })),
    }),
  );

const upload = fc
  .constantFrom('new.txt', 'new.html', 'new')
  .map((name) => toolCall('upload', { name, mimeType: 'text/plain', base64: btoa('new bytes'), caption: 'new' }));

const toolOf =
  ({ registry }: Subject) =>
  (planned: Planned): Planned =>
    asTool(planned, registry);

const decision: Requests = (subject) =>
  fc.oneof(publication(subject), schedule(subject), remove(subject)).map(toolOf(subject));

const misspelt = fc.constantFrom('titel', 'ownr', 'audienc', 'nope');
const LISTS = ['tools/list', 'resources/list'].map(
  (method): Planned => ({ method: 'POST', path: '/mcp', json: { jsonrpc: '2.0', id: 1, method } }),
);

/** The names of types in tools. */
const toolName = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === 'singleType' ? singularName : pluralName;

const own: Requests = (subject) => {
  const all = [...subject.registry.contentTypes.values()].filter((type) => isSingle(type) || !type.system);
  const types = fc.constantFrom(...all.map(toolName));
  const words = fc.constantFrom(...subject.words);
  const documents = documentFor(subject, 'findOne').map(({ type, path }) => {
    return { type: toolName(type), documentId: path.split('/')[3] };
  });
  return fc.oneof(
    types.map((type) => toolCall('describe', { type })),
    fc.constant(toolCall('describe', {})),
    words.map((text) => toolCall('search', { text })),
    fc.tuple(words, types).map(([text, type]) => toolCall('search', { text, types: [type] })),
    documents.map((document) => toolCall('history', document)),
    documents.map((document) => toolCall('get', { ...document, populate: '*' })),
    fc.tuple(types, misspelt).map(([type, name]) => toolCall('find', { type, filters: { [name]: { $eq: 'x' } } })),
    fc.tuple(types, misspelt).map(([type, name]) => toolCall('create', { type, data: { [name]: 'x' } })),
    fc.constantFrom(...LISTS),
  );
};

export const tools: Requests = (subject) =>
  fc.oneof(
    { weight: 6, arbitrary: read(subject).map(toolOf(subject)) },
    { weight: 2, arbitrary: create(subject).map(toolOf(subject)) },
    { weight: 3, arbitrary: update(subject).map(toolOf(subject)) },
    { weight: 2, arbitrary: decision(subject) },
    { weight: 2, arbitrary: decision(subject).map(dry) },
    { weight: 2, arbitrary: together(subject) },
    { weight: 1, arbitrary: upload },
    { weight: 4, arbitrary: own(subject) },
  );

/** The second call after a dry run. */
function confirmed(planned: Planned): Planned {
  const { name, arguments: args } = called(planned);
  return toolCall(name, { ...args, dryRun: false, revision: '{revision}' });
}

/** A question, and the yes of a person; or a dry run, and the call that it confirms: each for the same action or another. */
export const confirmations = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(decision(subject), either(4, fc.constant(undefined), decision(subject)), fc.boolean())
    .map(([one, other = one, isAsked]) =>
      (isAsked ? [asking(one), asking(other, { requestState: '{state}', ...YES })] : [dry(one), confirmed(other)]).map(
        requested,
      ),
    );

/** Lists former versions, then shows or restores one. */
export const historyTools = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  ofOne(subject).map((steps) =>
    steps.map((step) => (step.kind === 'request' ? requested(asTool(step.request, subject.registry)) : step)),
  );
