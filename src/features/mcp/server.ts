/**
 * @module The methods of the server: its tools, and its resources.
 */
import { actionId, type Grants } from '../../access/grants.ts';
import type { JsonObject } from '../../common/json.ts';
import { acceptArguments } from './arguments.ts';
import { type ToolCall, viewOf } from './call.ts';
import { describeType, knownTypes, nameOf } from './describe.ts';
import { ToolError } from './errors.ts';
import { guideOf } from './guide.ts';
import { invalidParams, type RpcRequest } from './protocol.ts';
import { inputOf, TOOLS, type Tool } from './tools.ts';

const GUIDE_URI = 'edgewise://guide';
const TYPE_URI = 'edgewise://types/';

function isGranted({ actions, grant }: Tool, { registry }: ToolCall, { allows }: Grants): boolean {
  if (grant !== undefined) return allows(grant);
  const isOfOne = (uid: string) => actions.some((action) => allows(actionId(uid, action)));
  return actions.length === 0 || [...registry.routes.values()].some(({ uid }) => isOfOne(uid));
}

async function listTools(call: ToolCall): Promise<readonly JsonObject[]> {
  const grants = await call.grants();
  return [...TOOLS]
    .filter(([, tool]) => tool.isOn?.(call) !== false && isGranted(tool, call, grants))
    .map(([name, tool]) => {
      const { description, outputSchema, annotations } = tool;
      return { name, description, inputSchema: inputOf(tool, call), outputSchema, annotations };
    });
}

/** @param structuredContent in a text, too: for clients that read no other */
const resultOf = (structuredContent: JsonObject) => {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
};

const unknown = (what: string, name: unknown, path: string) =>
  invalidParams(`Unknown ${what}: ${typeof name === 'string' ? name.slice(0, 200) : typeof name}`, path);

async function callTool(call: ToolCall, { name, arguments: args }: JsonObject): Promise<JsonObject> {
  const tool = TOOLS.get(name);
  if (!tool || tool.isOn?.(call) === false) throw unknown('tool', name, 'params.name');
  try {
    const result = await tool.run(call, acceptArguments(args, inputOf(tool, call)));
    return 'resultType' in result ? result : resultOf(result);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { ...resultOf({ error: { message: error.message, path: error.path, ...error.details } }), isError: true };
  }
}

const GUIDE_RESOURCE = {
  ...{ uri: GUIDE_URI, name: 'guide', title: 'How to read and write content', mimeType: 'text/markdown' },
};

async function listResources(call: ToolCall): Promise<readonly JsonObject[]> {
  const types = knownTypes(await viewOf(call)).map((type) => {
    const name = nameOf(type);
    return { uri: `${TYPE_URI}${name}`, name, title: type.displayName, mimeType: 'application/json' };
  });
  return [GUIDE_RESOURCE, ...types];
}

async function readResource(call: ToolCall, uri: unknown): Promise<JsonObject> {
  if (uri === GUIDE_URI) return { uri, mimeType: 'text/markdown', text: guideOf(call.settings) };
  const view = await viewOf(call);
  const type = knownTypes(view).find((each) => `${TYPE_URI}${nameOf(each)}` === uri);
  if (!type) throw unknown('resource', uri, 'params.uri');
  return { uri, mimeType: 'application/json', text: JSON.stringify(describeType(type, view)) };
}

/** Returns the result of a method; undefined for one that the server lacks. @throws RpcError */
export async function handle(call: ToolCall, { method, params }: RpcRequest): Promise<JsonObject | undefined> {
  switch (method) {
    case 'tools/list':
      return { tools: await listTools(call) };
    case 'tools/call':
      return callTool(call, params);
    case 'resources/list':
      return { resources: await listResources(call) };
    case 'resources/templates/list':
      return { resourceTemplates: [] };
    case 'resources/read':
      return { contents: [await readResource(call, params.uri)] };
    default:
      return undefined;
  }
}
