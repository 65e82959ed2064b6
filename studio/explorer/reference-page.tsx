/**
 * @module The description of the API as a page: what is opened is rendered, and nothing else.
 */
import { useDeferredValue, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type JsonSchema, type OpenApi, resolve } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { PageLayout } from '../shell/page.tsx';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { DelayedInput } from '../ui/inputs.tsx';
import { Empty } from '../ui/states.tsx';
import { addStyles } from '../ui/styles.ts';
import { type DescribedOperation, insideOf, operationsOf, schemaRules, typeText } from './description.ts';
import styles from './explorer.css' with { type: 'text' };

addStyles(styles);

type Nodes = Readonly<Record<string, JsonSchema>>;

interface FoldProps {
  readonly label: string;
  readonly schema: JsonSchema;
  readonly isRequired?: boolean;
  /** The schemas that this one is in: it is not unfolded again inside of itself. */
  readonly within?: readonly string[];
}

/** One line of a schema, which unfolds. */
function Fold({ label, schema, isRequired = false, within = [] }: FoldProps) {
  const { description } = useModel();
  const [isOpen, setOpen] = useState(false);
  const name = typeText(schema);
  const { required = [] } = resolve(description, schema);
  const isAbove = within.includes(name);
  const inside = isAbove ? [] : insideOf(description, schema);
  const head = (
    <>
      <code>{label}</code> {name !== label && <span>{name}</span>}{' '}
      {isRequired && <span className="badge accent">{text('required')}</span>}{' '}
      <span className="muted">{isAbove ? text('as above') : schemaRules(resolve(description, schema))}</span>
    </>
  );
  if (inside.length === 0) return <div className="fold">{head}</div>;
  return (
    <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{head}</summary>
      {isOpen &&
        inside.map(([key, one]) => (
          <Fold
            key={key}
            label={key}
            schema={one}
            isRequired={(required as readonly string[]).includes(key)}
            within={[...within, name]}
          />
        ))}
    </details>
  );
}

/** The schemas of a body or a response, by media type. */
function Content({ title, node }: { readonly title: string; readonly node: JsonSchema }) {
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

function Details({ operation: { method, path, parameters, node } }: { readonly operation: DescribedOperation }) {
  const { description } = useModel();
  return (
    <div className="stack operation">
      <p>{String(node.description ?? '')}</p>
      {method === 'GET' && path.startsWith('/api/') && (
        <Link to={`/explorer?request=${encodeURIComponent(path)}`}>{text('Try it in the explorer')}</Link>
      )}
      <div>
        {parameters.length > 0 && <strong>{text('Parameters')}</strong>}
        {parameters.map((parameter) => {
          const { name, in: where, schema, required, description: about } = resolve(description, parameter);
          const shown = { ...(schema as object), ...(about !== undefined && { description: about }) };
          return (
            <Fold
              key={`${where} ${name}`}
              label={text('{name} in {where}', { name: String(name), where: String(where) })}
              schema={shown}
              isRequired={required === true}
            />
          );
        })}
      </div>
      {node.requestBody !== undefined && <Content title={text('Body')} node={node.requestBody as JsonSchema} />}
      {Object.entries((node.responses ?? {}) as Nodes).map(([status, response]) => (
        <Content key={status} title={status} node={response} />
      ))}
    </div>
  );
}

/** A plain link to `/openapi.json` would have no credential. */
function save(description: OpenApi): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(description, null, 2)], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: 'openapi.json' }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

/** From this number of tags on they are folded. */
const MANY_TAGS = 8;

export function ReferencePage() {
  const { description } = useModel();
  const [search, setSearch] = useSearchParams();
  const q = search.get('q') ?? '';
  const opened = search.get('operation');
  const part = useDeferredValue(q.toLowerCase());
  const operations = useMemo(() => operationsOf(description), [description]);
  const tags = Map.groupBy(
    operations.filter((operation) => operation.text.includes(part)),
    ({ tag }) => tag,
  );
  const to = (id: string) => `?${new URLSearchParams({ ...(q && { q }), ...(id !== opened && { operation: id }) })}`;
  return (
    <PageLayout
      title={text('Reference')}
      actions={<Button label={text('Download openapi.json')} onClick={() => save(description)} />}
    >
      <div className="stack">
        <DelayedInput
          type="search"
          label={text('Find an operation')}
          value={q}
          onCommit={(value) => setSearch(value ? { q: value } : {}, { replace: true })}
        />
        {tags.size === 0 && (
          <Empty title={text('No operation matches')}>
            <Button label={text('Show all operations')} onClick={() => setSearch({}, { replace: true })} />
          </Empty>
        )}
        {[...tags].map(([tag, all]) => (
          <details
            key={tag}
            className="card padded"
            open={tags.size < MANY_TAGS || part !== '' || all.some(({ id }) => id === opened)}
          >
            <summary>
              <strong>{tag}</strong> <span className="muted">{all.length}</span>
            </summary>
            {all.map((operation) => (
              <div key={operation.id}>
                <Link
                  className="row operation-line"
                  to={to(operation.id)}
                  aria-expanded={operation.id === opened}
                  ref={operation.id === opened ? scrollTo : null}
                >
                  <strong className="mono">{operation.method}</strong> <code>{operation.path}</code>{' '}
                  <span className="muted">{operation.summary}</span>
                </Link>
                {operation.id === opened && <Details operation={operation} />}
              </div>
            ))}
          </details>
        ))}
      </div>
    </PageLayout>
  );
}
