/**
 * @module The Model Context Protocol over HTTP without sessions: JSON-RPC in both of its eras, 2026-07-28 and before.
 * https://modelcontextprotocol.io/specification
 */
import { Buffer } from 'node:buffer';
import { isObject, type JsonObject } from '../../common/json.ts';
import { INSTRUCTIONS } from './guide.ts';

const MODERN = '2026-07-28';
/** Clients of these begin with `initialize`. */
const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

const META = 'io.modelcontextprotocol/';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;

/** An error of the protocol; errors of tools are results. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: JsonObject | undefined;
  readonly status: number;

  constructor(code: number, message: string, status = 400, data?: JsonObject) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export const invalidParams = (message: string, path: string, status = 200): RpcError =>
  new RpcError(INVALID_PARAMS, message, status, { path });

export interface RpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: JsonObject;
  readonly isModern: boolean;
  /** May the server ask the person something? */
  readonly canElicit: boolean;
}

/** The headers of a request that the protocol reads. */
export type Headers = (name: string) => string | undefined;

/** A JSON-RPC response, or 202 without a body. */
export interface RpcResponse {
  readonly status: number;
  readonly body?: JsonObject;
}

/** @throws RpcError for what is no JSON */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcError(PARSE_ERROR, 'Parse error: the body is no JSON');
  }
}

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isInteger(id);

/** Decodes a header's value, which may be in Base64. */
function decodedName(value: string): string {
  const [, encoded] = /^=\?base64\?(.*)\?=$/i.exec(value.trim()) ?? [];
  return encoded === undefined ? value.trim() : Buffer.from(encoded, 'base64').toString();
}

/** The parameter that the header `Mcp-Name` repeats. */
const NAMES = new Map([
  ['tools/call', 'name'],
  ['resources/read', 'uri'],
]);

/** @throws RpcError for a missing header, and for one that differs from the body */
function checkHeader(name: string, value: unknown, header: Headers): void {
  const given = header(name);
  if (given !== undefined && decodedName(given) === value) return;
  const problem = given === undefined ? 'is missing' : 'differs from the body';
  throw new RpcError(HEADER_MISMATCH, `The header ${name} ${problem}`, 400, { header: name });
}

/** Does the request name the revision in its body? @throws RpcError for a malformed claim */
function modernClaim(meta: unknown): { readonly version: string; readonly capabilities: JsonObject } | undefined {
  const version = isObject(meta) ? meta[`${META}protocolVersion`] : undefined;
  if (!isObject(meta) || version === undefined) return undefined;
  const capabilities = meta[`${META}clientCapabilities`];
  const wrong = typeof version === 'string' ? !isObject(capabilities) && 'clientCapabilities' : 'protocolVersion';
  if (wrong) throw invalidParams(`Invalid params._meta["${META}${wrong}"]`, 'params._meta', 400);
  return { version: String(version), capabilities: capabilities as JsonObject };
}

function canElicit({ elicitation }: JsonObject): boolean {
  return isObject(elicitation) && (isObject(elicitation.form) || Object.keys(elicitation).length === 0);
}

/** @throws RpcError for another version than those of `LEGACY` in the header */
function legacyRequest(id: unknown, method: string, params: JsonObject, header: Headers): RpcRequest {
  const version = header('MCP-Protocol-Version')?.trim();
  if (version === MODERN && method === 'initialize')
    throw new RpcError(HEADER_MISMATCH, `initialize is no method of ${MODERN}`);
  if (version === MODERN)
    throw invalidParams(`Invalid params._meta. Expected ${META}protocolVersion`, 'params._meta', 400);
  if (version !== undefined && !LEGACY.some((known) => known === version)) throw unsupported(version, LEGACY);
  return { id, method, params, isModern: false, canElicit: false };
}

/** @param supported those of the era that the request is of */
const unsupported = (requested: string, supported: readonly string[]): RpcError =>
  new RpcError(UNSUPPORTED_VERSION, `Unsupported protocol version ${requested}`, 400, { supported, requested });

/** Returns undefined for what takes no response. @throws RpcError */
function requestOf(message: unknown, header: Headers): RpcRequest | undefined {
  if (!isObject(message) || message.jsonrpc !== '2.0')
    throw new RpcError(INVALID_REQUEST, 'Expected one JSON-RPC message');
  const { id, method } = message;
  const params = message.params ?? {};
  if (method === undefined && ('result' in message || 'error' in message)) return undefined;
  if (typeof method !== 'string') throw new RpcError(INVALID_REQUEST, 'Expected a method');
  if (id === undefined) return undefined;
  if (!isId(id)) throw new RpcError(INVALID_REQUEST, 'Invalid id. Expected a text or an integer');
  if (!isObject(params)) throw invalidParams('Invalid params. Expected an object', 'params', 400);
  const claim = modernClaim(params._meta);
  if (!claim) return legacyRequest(id, method, params, header);
  checkHeader('MCP-Protocol-Version', claim.version, header);
  if (claim.version !== MODERN) throw unsupported(claim.version, [MODERN]);
  checkHeader('Mcp-Method', method, header);
  const named = NAMES.get(method);
  if (named !== undefined) checkHeader('Mcp-Name', params[named], header);
  return { id, method, params, isModern: true, canElicit: canElicit(claim.capabilities) };
}

/** Results that a client may keep. */
const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'resources/read', 'server/discover'];
/** Milliseconds. */
const KEPT = 60_000;
const SERVER_INFO = { name: 'edgewise', version: '1.0.0' };

const modernResult = (result: JsonObject, method: string): JsonObject => ({
  resultType: 'complete',
  ...result,
  ...(LISTS.includes(method) && { ttlMs: KEPT, cacheScope: 'private' }),
  _meta: { [`${META}serverInfo`]: SERVER_INFO },
});

/** Returns the result of a method; undefined for one that the server lacks. @throws RpcError */
type Handle = (request: RpcRequest) => Promise<JsonObject | undefined>;

/** The methods by which client and server introduce themselves. */
function introduction({ method, params, isModern }: RpcRequest): JsonObject | undefined {
  const capabilities = { tools: {}, resources: {} };
  if (isModern)
    return method === 'server/discover'
      ? { supportedVersions: [MODERN], capabilities, instructions: INSTRUCTIONS }
      : undefined;
  if (method === 'ping') return {};
  if (method !== 'initialize') return undefined;
  const protocolVersion = LEGACY.find((version) => version === params.protocolVersion) ?? LEGACY[0];
  return { protocolVersion, capabilities, serverInfo: SERVER_INFO, instructions: INSTRUCTIONS };
}

/** Responds to one message. @throws what is no RpcError */
export async function respondTo(message: unknown, header: Headers, handle: Handle): Promise<RpcResponse> {
  try {
    const request = requestOf(message, header);
    if (!request) return { status: 202 };
    const { id, method, isModern } = request;
    const result = introduction(request) ?? (await handle(request));
    // Clients of before do not read the body of a 404.
    if (!result)
      throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`, isModern ? 404 : 200, { path: 'method' });
    return { status: 200, body: { jsonrpc: '2.0', id, result: isModern ? modernResult(result, method) : result } };
  } catch (error) {
    if (error instanceof RpcError)
      return errorResponse(error, isObject(message) && isId(message.id) ? message.id : null);
    throw error;
  }
}

export const errorResponse = ({ code, message, data, status }: RpcError, id: unknown = null): RpcResponse => ({
  status,
  body: { jsonrpc: '2.0', id, error: { code, message, data } },
});
