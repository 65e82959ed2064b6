/**
 * @module A server that answers a scenario as it was recorded, with live-looking values in place of the placeholders:
 * it shows that the runner passes what it must pass, and an altered answer that it fails what it must fail.
 */
import { Captures } from './captures.ts';
import type { Fetch } from './client.ts';
import { withPayload } from './payloads.ts';
import { isObject, type Json, type RecordedResponse, type Scenario, type Step } from './recording.ts';

/** An answer on its way to the client. */
export interface Wire {
  readonly status: number;
  readonly contentType: string | null;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: Json;
}

export type Alter = (wire: Wire, step: Step, index: number) => Wire;

const LETTERS = 'abcdefghijklmnopqrstuvwx';

/** 24 small letters and digits that belong to a name. */
const documentIdOf = (name: string): string =>
  (name.toLowerCase() + LETTERS.replace('x', '0')).slice(0, 23).concat('7');

/** Placeholders → values that no two answers have in common. */
class Inventor {
  #count = 1000;

  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  #placeholder(text: string): Json | undefined {
    const count = this.#next();
    switch (text) {
      case '<id>':
      case '<number>':
        return count;
      case '<documentId>':
        return documentIdOf(`fresh${count}`);
      case '<timestamp>':
        return new Date(Date.UTC(2031, 0, 1) + count).toISOString();
      case '<jwt>':
        return `eyJhbGciOiJIUzI1NiJ9.payload${count}.signature`;
      case '<url>':
        return `/uploads/file_${count}.bin`;
      case '<hash>':
      case '<provider>':
        return `${text.slice(1, -1)}-${count}`;
      default:
        return undefined;
    }
  }

  #text(text: string): string {
    return text
      .replace(/\{\{(\w+)\}\}/g, (_, name: string) => documentIdOf(name))
      .replace('<documentId>', () => documentIdOf(`fresh${this.#next()}`))
      .replace(/id <id>/g, () => `id ${this.#next()}`)
      .replace(/:<id>/g, () => `:${this.#next()}`);
  }

  fill(value: Json): Json {
    const [, text, source] = (typeof value === 'string' && /^(.*)⟦(.*)⟧$/s.exec(value)) || [];
    if (text !== undefined && source !== undefined) return withPayload(String(this.fill(text)), this.#text(source));
    if (typeof value === 'string') return this.#placeholder(value) ?? this.#text(value);
    if (Array.isArray(value)) return value.map((item: Json) => this.fill(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.fill(item)]));
  }
}

/** The body with another value at a dotted path. */
export function withValueAt(body: Json, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(body))
    return body.map((item: Json, at) => (String(at) === key ? withValueAt(item, rest, value) : item));
  return isObject(body) ? { ...body, [key]: withValueAt(body[key] ?? null, rest, value) } : body;
}

function withSameValues(body: Json, same: RecordedResponse['same'], captures: Captures): Json {
  let result = body;
  for (const [path, { as, equal }] of Object.entries(same ?? {}))
    if (equal) result = withValueAt(result, path.split('.'), captures.get(as));
  return result;
}

const encoded = (body: Json): BodyInit => {
  if (isObject(body) && '$binary' in body) return new Uint8Array([137, 80, 78, 71]);
  return typeof body === 'string' ? new TextEncoder().encode(body) : JSON.stringify(body);
};

function respond({ status, contentType, headers, body }: Wire): Response {
  const all = new Headers();
  if (contentType !== null) all.set('content-type', contentType);
  for (const [name, value] of Object.entries(headers)) if (value !== null) all.set(name, value);
  return new Response(body === null ? null : encoded(body), { status, headers: all });
}

/** What the recorded server may have sent at each step of a scenario. */
export class Recollection {
  readonly #inventor = new Inventor();
  readonly #captures = new Captures();

  /** To be called once a step, in order. */
  answer(step: Step): Wire {
    const { status, contentType, headers = {}, same } = step.response;
    const body = withSameValues(this.#inventor.fill(step.response.body), same, this.#captures);
    this.#captures.keep(step.capture, body);
    return { status, contentType, headers, body };
  }
}

/** Answers whatever is asked with the next recorded step, altered on the way. */
export function recordedServer(scenario: Scenario, alter: Alter = (wire) => wire): Fetch {
  const recollection = new Recollection();
  const steps = scenario.steps.entries();
  return async () => {
    const next = steps.next();
    if (next.done) throw new Error('the scenario has no more steps');
    const [index, step] = next.value;
    return respond(alter(recollection.answer(step), step, index));
  };
}
