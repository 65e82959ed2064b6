/**
 * @module What a recorded scenario is: requests in order, each with the answer that the reference gave.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** One part of a multipart body: a text, or a file of `fixtures/`, sent under the name `as` if there is one. */
export interface Part {
  readonly name: string;
  readonly value?: Json;
  readonly file?: string;
  readonly type?: string;
  readonly as?: string;
}

/** At most one of `body` (sent as JSON), `rawBody` (sent as it stands) and `multipart` is present. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly rawBody?: string;
  readonly multipart?: readonly Part[];
}

/** The value at a path of the body must, or must not, equal what was captured under the name `as`. */
export interface SameRule {
  readonly as: string;
  readonly equal: boolean;
}

/** `headers` lists only the ones that are compared; null stands for a header that must be absent. */
export interface RecordedResponse {
  readonly status: number;
  readonly contentType: string | null;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body: Json;
  readonly same?: Readonly<Record<string, SameRule>>;
}

export interface Step {
  readonly name: string;
  /** Whose credentials: an alias of `setup.json`, `public`, `none`, `bad`, `user` or `user:NAME`. */
  readonly as?: string;
  readonly request: RecordedRequest;
  /** Name → path of the value in the answer that later steps call `{{name}}`. */
  readonly capture?: Readonly<Record<string, string>>;
  /** The order of the list is an accident of row ids. */
  readonly unordered?: boolean;
  /** The reference failed here: replayed for its effect, not counted. */
  readonly reference_bug?: boolean;
  readonly note?: string;
  readonly response: RecordedResponse;
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly steps: readonly Step[];
}

export const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The value at a dotted path, as in `data.facts.0.id`; undefined where the path leads nowhere. */
export function valueAt(value: Json, path: string): Json | undefined {
  let here: unknown = value;
  for (const key of path.split('.')) here = (here as Record<string, unknown> | null | undefined)?.[key];
  return here as Json | undefined;
}

/** Every `origin` that the scenarios send: the reference answers all of them with credentials. */
export function originsOf(scenarios: readonly Scenario[]): readonly string[] {
  const origins = scenarios.flatMap(({ steps }) => steps.flatMap(({ request }) => request.headers?.origin ?? []));
  return [...new Set(origins)];
}
