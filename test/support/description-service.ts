/**
 * @module Are answers what the description of the API says? JSON Schema is compiled to code, which workerd does not run, so
 * tests ask through a service binding, which vitest.config.ts answers in Node.
 */
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/features/description/openapi.ts';
import type { Seen } from './described.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The same schemas, which take nothing that they do not name. Parts of an `allOf` stay open: the whole is closed. Objects
 * that name nothing, or say so, may hold anything.
 */
function closed(schema: unknown, isPart = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => closed(item, isPart));
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.entries(schema).map(([key, value]) => [key, closed(value, key === 'allOf')]);
  const isClosed =
    !isPart &&
    !Object.hasOwn(schema, 'additionalProperties') &&
    ['$ref', 'allOf', 'properties'].some((key) => Object.hasOwn(schema, key));
  return { ...Object.fromEntries(inner), ...(isClosed && { unevaluatedProperties: false }) };
}

/** Named schemas are closed where they are used. */
const closedDocument = ({ components, ...document }: OpenApiDocument): Json => {
  const named = Object.entries(components.schemas ?? {}).map(([name, schema]) => [
    name,
    { ...(closed(schema, true) as Json) },
  ]);
  return { ...(closed(document) as Json), components: { ...components, schemas: Object.fromEntries(named) } };
};

/** The count of a single document is left out of the description: in its place, null is valid. */
const withoutCount = (_: string, value: unknown): unknown =>
  isDeepStrictEqual(Object.keys(Object(value)), ['count']) ? null : value;

/** Checks answers of one description; the schemas that answers need are compiled as they come. */
class Description {
  readonly #document: OpenApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #paths: readonly (readonly [RegExp, string])[];

  constructor(document: OpenApiDocument) {
    this.#document = document;
    // A pattern may be told apart from another one by what stands fixed in it: the first fixed one wins.
    this.#paths = Object.keys(document.paths)
      .toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
      .map((path) => [new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'), path]);
    formats.default(this.#ajv);
    this.#ajv.addSchema(closedDocument(document), 'description');
  }

  #at(pointer: readonly string[]): readonly string[] | undefined {
    const value = pointer.reduce<unknown>((node, key) => (node as Json | undefined)?.[key], this.#document);
    const target = (value as { readonly $ref?: string } | undefined)?.$ref;
    if (target !== undefined) return this.#at(target.slice(2).split('/'));
    return value === undefined ? undefined : pointer;
  }

  #validate(pointer: readonly string[]): ValidateFunction {
    const escaped = pointer.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
    const reference = `description#/${escaped.join('/')}`;
    const known = this.#compiled.get(reference) ?? this.#ajv.compile({ $ref: reference });
    this.#compiled.set(reference, known);
    return known;
  }

  /** The operation that was asked, by its id; undefined for what is described nowhere. */
  operation({ method, path }: Seen): readonly string[] | undefined {
    const template = this.#paths.find(([pattern]) => pattern.test(path))?.[1];
    return template === undefined ? undefined : this.#at(['paths', template, method.toLowerCase()]);
  }

  /** What is wrong with an answer, in words. */
  complaints(seen: Seen): readonly string[] {
    const { status, type, body } = seen;
    const operation = this.operation(seen);
    if (!operation) return [404, 405, 501].includes(status) ? [] : ['is described nowhere'];
    const response =
      this.#at([...operation, 'responses', String(status)]) ??
      (status >= 400 ? this.#at([...operation, 'responses', 'default']) : undefined);
    if (!response) return [`has the status ${status}, which is not described`];
    const media = this.#at([...response, 'content', type]) ?? this.#at([...response, 'content', '*/*']);
    if (body === null) return this.#at([...response, 'content']) && !media ? ['has no body, which is described'] : [];
    if (!media) return [`is ${type}, which is not described`];
    if (type !== 'application/json') return [];
    const validate = this.#validate([...media, 'schema']);
    return validate(JSON.parse(body)) || validate(JSON.parse(body, withoutCount))
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
        );
  }
}

const descriptions = new Map<string, Description>();

function descriptionOf(document: OpenApiDocument): Description {
  const text = JSON.stringify(document);
  const known = descriptions.get(text) ?? new Description(document);
  descriptions.set(text, known);
  return known;
}

/** `{ document, seen }` → complaints about these answers, and the ids of the operations that succeeded. */
export async function answerConformity(request: { json(): Promise<unknown> }): Promise<Response> {
  const { document, seen } = (await request.json()) as { document: OpenApiDocument; seen: readonly Seen[] };
  const description = descriptionOf(document);
  const complaints = seen.flatMap((answer) =>
    description.complaints(answer).map((text) => `${answer.method} ${answer.path} ${answer.status}: ${text}`),
  );
  const succeeded = seen.flatMap((answer) => {
    const operation = answer.status < 400 ? description.operation(answer) : undefined;
    if (!operation) return [];
    const [, path = '', verb = ''] = operation;
    return [String((document.paths[path]?.[verb] as Json | undefined)?.operationId)];
  });
  return Response.json({ complaints, succeeded });
}
