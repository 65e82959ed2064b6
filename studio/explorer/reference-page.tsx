/**
 * @module The description of the API as a page: what is opened is rendered, and nothing else.
 */
import { useDeferredValue, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { JsonSchema, OpenApi } from '../model/model.ts';
import { useModel } from '../shell/model-context.ts';
import { Page } from '../shell/page.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';

interface Operation extends JsonSchema {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  readonly parameters: readonly JsonSchema[];
}

type Nodes = Readonly<Record<string, JsonSchema>>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export const operationsOf = ({ paths }: OpenApi): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const { operationId, summary = '', tags, parameters = [], ...rest } = item[method] as JsonSchema;
      return {
        ...rest,
        method: method.toUpperCase(),
        path,
        operationId: String(operationId),
        summary: String(summary),
        tag: String((tags as readonly string[] | undefined)?.[0] ?? 'other'),
        parameters: [item.parameters ?? [], parameters].flat() as readonly JsonSchema[],
      };
    }),
  );

/** Follows `$ref`. */
export function resolve(description: OpenApi, node: JsonSchema = {}): JsonSchema {
  if (typeof node.$ref !== 'string') return node;
  const keys = node.$ref.slice(2).split('/');
  return resolve(
    description,
    keys.reduce<unknown>((inner, key) => (inner as JsonSchema)?.[key], description) as JsonSchema,
  );
}

const nameOf = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.split('/').pop() : undefined;

const alternativesOf = ({ anyOf, oneOf, allOf }: JsonSchema) =>
  (anyOf ?? oneOf ?? allOf) as readonly JsonSchema[] | undefined;

/** `{"type": ["string", "null"], "format": "date-time"}` → `string (date-time) | null` */
export function typeText(schema: JsonSchema): string {
  const { type, items, format } = schema;
  const values = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  if (nameOf(schema)) return String(nameOf(schema));
  if (values) return (values as unknown[]).map((value) => JSON.stringify(value)).join(' | ');
  if (items) return `list of ${typeText(items as JsonSchema)}`;
  const parts =
    alternativesOf(schema)?.map(typeText) ??
    [type ?? 'any'].flat().map((one) => (format && one === 'string' ? `string (${format})` : one));
  return parts.join(' | ');
}

const isNode = (schema: JsonSchema): boolean =>
  ['$ref', 'properties', 'items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].some((key) => key in schema);

/** Returns what is inside of a schema: its properties, or its alternatives where there are several. */
export function insideOf(description: OpenApi, schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const { properties, items, additionalProperties, ...rest } = resolve(description, schema);
  if (items) return insideOf(description, items as JsonSchema);
  const alternatives = alternativesOf(rest)?.filter(isNode) ?? [];
  if (alternatives.length === 1) return insideOf(description, alternatives[0] as JsonSchema);
  const others = typeof additionalProperties === 'object' ? { '(any name)': additionalProperties } : {};
  return [
    ...alternatives.map((one): [string, JsonSchema] => [typeText(one), one]),
    ...Object.entries({ ...(properties as Nodes), ...others } as Nodes),
  ];
}

const RULES = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'pattern',
  'default',
  'examples',
];

interface FoldProps {
  readonly label: string;
  readonly schema: JsonSchema;
  readonly isRequired?: boolean;
  /** The schemas that this one is in. */
  readonly within?: readonly string[];
}

/** One line of a schema, which unfolds. A schema inside of itself stays folded. */
function Fold({ label, schema, isRequired = false, within = [] }: FoldProps) {
  const { description } = useModel();
  const [isOpen, setOpen] = useState(false);
  const name = typeText(schema);
  const resolved = resolve(description, schema);
  const required = (resolved.required ?? []) as readonly string[];
  const inside = within.includes(name) ? [] : insideOf(description, schema);
  const rules = RULES.filter((rule) => rule in resolved).map((rule) => `${rule} ${JSON.stringify(resolved[rule])}`);
  const head = (
    <>
      <code>{label}</code> {name !== label && <span className="muted">{name}</span>}{' '}
      {isRequired && <span className="badge accent">required</span>}{' '}
      <span className="muted">
        {[resolved.description, ...rules, within.includes(name) && 'as above'].filter(Boolean).join(', ')}
      </span>
    </>
  );
  if (inside.length === 0) return <div className="fold">{head}</div>;
  return (
    <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{head}</summary>
      {isOpen &&
        inside.map(([key, one]) => (
          <Fold key={key} label={key} schema={one} isRequired={required.includes(key)} within={[...within, name]} />
        ))}
    </details>
  );
}

/** The schemas of a body or a response, by media type. */
function Content({ node, title }: { readonly node: JsonSchema; readonly title: string }) {
  const { content = {}, description = '' } = resolve(useModel().description, node);
  return (
    <div>
      <strong>{title}</strong> <span className="muted">{String(description)}</span>
      {Object.entries(content as Nodes).map(([mime, { schema = {} }]) => (
        <Fold key={mime} label={mime} schema={schema as JsonSchema} />
      ))}
    </div>
  );
}

function Details({ operation }: { readonly operation: Operation }) {
  const { description } = useModel();
  const { method, path, parameters, requestBody, responses = {} } = operation;
  return (
    <div className="stack operation">
      {operation.description !== undefined && <p>{String(operation.description)}</p>}
      {method === 'GET' && path.startsWith('/api/') && (
        <Link to={`/explorer?request=${encodeURIComponent(path)}`}>Try it in the explorer</Link>
      )}
      {parameters.length > 0 && <strong>Parameters</strong>}
      {parameters.map((node) => {
        const { name, in: where, schema, required, ...rest } = resolve(description, node);
        const text = rest.description === undefined ? {} : { description: rest.description };
        const shown = { ...(schema as JsonSchema), ...text };
        return (
          <Fold key={`${where} ${name}`} label={`${name} in ${where}`} schema={shown} isRequired={required === true} />
        );
      })}
      {requestBody !== undefined && <Content title="Body" node={requestBody as JsonSchema} />}
      {Object.entries(responses as Nodes).map(([status, node]) => (
        <Content key={status} title={status} node={node} />
      ))}
    </div>
  );
}

function save(description: OpenApi): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(description, null, 2)], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: 'openapi.json' }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

/** From this number of tags on they are folded. */
const MANY_TAGS = 8;

export function ReferencePage() {
  const { description } = useModel();
  const [search, setSearch] = useSearchParams();
  const q = search.get('q') ?? '';
  const opened = search.get('operation');
  const text = useDeferredValue(q.toLowerCase());
  const operations = operationsOf(description);
  const found = operations.filter(({ method, path, operationId, summary }) =>
    `${method} ${path} ${operationId} ${summary}`.toLowerCase().includes(text),
  );
  const tags = Map.groupBy(found, ({ tag }) => tag);
  const to = (operationId: string) =>
    `?${new URLSearchParams({ ...(q && { q }), ...(operationId !== opened && { operation: operationId }) })}`;
  return (
    <Page title="Reference" actions={<Button onClick={() => save(description)}>Download openapi.json</Button>}>
      <div className="stack">
        <input
          type="search"
          aria-label="Find an operation"
          placeholder="Find an operation"
          value={q}
          onChange={({ target }) => setSearch(target.value ? { q: target.value } : {}, { replace: true })}
        />
        {found.length === 0 && <Empty title="No operation matches" />}
        {[...tags].map(([tag, all]) => (
          <details
            key={tag}
            className="card reference-tag"
            open={tags.size < MANY_TAGS || text !== '' || all.some(({ operationId }) => operationId === opened)}
          >
            <summary>
              <strong>{tag}</strong> <span className="muted">{all.length}</span>
            </summary>
            {all.map((operation) => (
              <div key={operation.operationId}>
                <Link
                  className="operation-line"
                  to={to(operation.operationId)}
                  ref={operation.operationId === opened ? scrollTo : null}
                >
                  <code className="method">{operation.method}</code> <code>{operation.path}</code>{' '}
                  <span className="muted">{operation.summary}</span>
                </Link>
                {operation.operationId === opened && <Details operation={operation} />}
              </div>
            ))}
          </details>
        ))}
      </div>
    </Page>
  );
}
