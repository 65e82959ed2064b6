/**
 * @module What one run of a scenario has learned so far: values captured from answers, and texts that it sent itself.
 */
import type { Json, Step } from './recording.ts';
import { isObject, valueAt } from './recording.ts';

const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const WHOLE_PLACEHOLDER = /^\{\{(\w+)\}\}$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT/;
/** JSON web tokens differ in every run, captured or not. */
export const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;
/** Shorter captured texts could be part of anything. */
const DISTINCTIVE_LENGTH = 16;

export class Captures {
  readonly #values: Map<string, Json>;
  readonly #sent: Set<string | number>;

  constructor(from?: Captures) {
    this.#values = new Map(from ? from.#values : []);
    this.#sent = new Set(from ? from.#sent : []);
  }

  /** @throws Error when no earlier answer had a value for the name. */
  get(name: string): Json {
    const value = this.#values.get(name);
    if (value === undefined) throw new Error(`nothing was captured as ${name}`);
    return value;
  }

  equals(name: string, value: Json | undefined): boolean {
    return value === this.#values.get(name);
  }

  /** Takes from an answer what the step wants to call by name later. */
  keep(wanted: Step['capture'], body: Json): void {
    for (const [name, path] of Object.entries(wanted ?? {})) {
      const value = valueAt(body, path);
      if (value !== undefined && value !== null) this.#values.set(name, value);
    }
  }

  /** `/api/tags/{{t1}}` → `/api/tags/xyz…` */
  fill(text: string): string {
    return text.replace(PLACEHOLDER, (_, name: string) => String(this.get(name)));
  }

  /** Fills a whole body. A text that is nothing but a placeholder becomes the captured value itself, also a number. */
  fillBody(value: Json): Json {
    if (typeof value === 'string') {
      const name = WHOLE_PLACEHOLDER.exec(value)?.[1];
      return name === undefined ? this.fill(value) : this.get(name);
    }
    if (Array.isArray(value)) return value.map((item: Json) => this.fillBody(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.fill(key), this.fillBody(item)]));
  }

  /** Remembers every text of a body, dates as points in time too: what the client sent is compared literally. */
  remember(value: Json): void {
    if (typeof value === 'string') {
      this.#sent.add(value);
      if (DATE_TIME.test(value)) this.#sent.add(Date.parse(value));
    } else if (value !== null && typeof value === 'object') {
      for (const item of Object.values(value)) this.remember(item);
    }
  }

  wasSent(text: string): boolean {
    return this.#sent.has(text);
  }

  wasSentAsTime(text: string): boolean {
    const time = Date.parse(text);
    return this.#sent.has(text) || (!Number.isNaN(time) && this.#sent.has(time));
  }

  /** Captured text → `{{name}}`; of several names for one text the first counts. Longest texts come first. */
  placeholders(): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    for (const [name, value] of this.#values)
      if (typeof value === 'string' && value.length >= DISTINCTIVE_LENGTH && !JWT.test(value) && !names.has(value))
        names.set(value, `{{${name}}}`);
    return new Map([...names].sort(([a], [b]) => b.length - a.length));
  }
}
