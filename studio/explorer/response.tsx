/**
 * @module Runs the request and shows the response: its cost, its JSON, and what an error means.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { attempt } from '../api/query-string.ts';
import { sendWithSession } from '../api/request.ts';
import { ApiError } from '../api/send.ts';
import type { Values } from '../model/model.ts';
import { text, textWith } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Failure, Loading } from '../ui/states.tsx';

const STRAPI = 'https://docs.strapi.io/cms/api/rest';

/** By parameter: the page of Strapi's documentation, and the one of this server. */
const PAGES: Readonly<Record<string, readonly [strapi: string, own: string]>> = {
  fields: ['populate-select#field-selection', 'reading.md#fields'],
  populate: ['populate-select#population', 'reading.md#populate'],
  filters: ['filters', 'reading.md#filters'],
  sort: ['sort-pagination#sorting', 'reading.md#sort'],
  pagination: ['sort-pagination#pagination', 'reading.md#pagination'],
  _q: ['parameters', 'reading.md#search'],
  status: ['status', 'reading.md#drafts'],
  publicationFilter: ['status', 'reading.md#drafts'],
  locale: ['locale', 'writing.md#locales'],
};

/** Some messages name the parameter alone: `Invalid parameter at 'status'`. */
const named = (message: string) => Object.keys(PAGES).find((name) => message.includes(`'${name}`));

function Explanation({ status, body }: { readonly status: number; readonly body: unknown }) {
  const error = (body as { readonly error?: Values } | null)?.error ?? {};
  const message = String(error.message ?? text('The server responded with {status}.', { status }));
  const { key, source, path, param = named(message) } = (error.details ?? {}) as Values;
  const facts = Object.entries({ key, path, source, param }).filter(([, value]) => typeof value === 'string');
  const [, [strapi, own] = []] = Object.entries(PAGES).find(([name]) => name === param) ?? [];
  return (
    <>
      <Failure error={new ApiError(status, message)} />
      <p>
        {facts.map(([name, value]) => (
          <span key={name}>
            {name}: <code>{String(value)}</code>{' '}
          </span>
        ))}
        {strapi &&
          textWith('See {page} and {file}.', {
            page: (
              <a href={`${STRAPI}/${strapi}`} rel="noreferrer" target="_blank">
                {text('Strapi’s page about {name}', { name: String(param) })}
              </a>
            ),
            file: <code>node_modules/edgewise/docs/{own}</code>,
          })}
      </p>
    </>
  );
}

/** Entries that are rendered at once. */
const CHUNK = 100;
const LONGEST = 2000;
/** So many levels are open at first, and so many entries of each. */
const OPEN_DEPTH = 3;
const OPEN_ENTRIES = 10;

function Scalar({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  const json = JSON.stringify(value) ?? '';
  if (json.length <= LONGEST || isWhole)
    return <span className={`json-${value === null ? 'null' : typeof value}`}>{json}</span>;
  return (
    <>
      <span className="json-string">{json.slice(0, LONGEST)}…</span>
      <Button
        label={text('All {count} characters', { count: json.length })}
        look="quiet"
        onClick={() => setWhole(true)}
      />
    </>
  );
}

interface JsonTreeProps {
  readonly value: unknown;
  readonly name?: string;
  readonly depth?: number;
  readonly index?: number;
}

/** JSON that folds. What is folded is not rendered, so large responses stay usable. */
function JsonTree({ value, name, depth = 0, index = 0 }: JsonTreeProps) {
  const isNested = typeof value === 'object' && value !== null;
  const entries = isNested ? Object.entries(value) : [];
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && index < OPEN_ENTRIES);
  const [shown, setShown] = useState(CHUNK);
  const key = name !== undefined && <span className="json-key">{name}: </span>;
  if (!isNested || entries.length === 0) {
    return (
      <div>
        {key}
        <Scalar value={value} />
      </div>
    );
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {key}
        <span className="muted">{Array.isArray(value) ? `[ ${entries.length} ]` : `{ ${entries.length} }`}</span>
      </summary>
      {isOpen &&
        entries
          .slice(0, shown)
          .map(([inner, entry], at) => (
            <JsonTree key={inner} name={inner} value={entry} depth={depth + 1} index={at} />
          ))}
      {isOpen && entries.length > shown && (
        <Button
          label={text('{count} more of {total}', { count: CHUNK, total: entries.length })}
          look="quiet"
          onClick={() => setShown(shown + CHUNK)}
        />
      )}
    </details>
  );
}

async function run(address: string, signal: AbortSignal) {
  const started = performance.now();
  const response = await sendWithSession(address, { signal });
  const content = await response.text();
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - started),
    bytes: new TextEncoder().encode(content).length,
    cost: response.headers.get('server-timing'),
    body: attempt(() => JSON.parse(content), content),
  };
}

const sizeText = (bytes: number): string =>
  bytes < 10_000 ? text('{bytes} bytes', { bytes: String(bytes) }) : `${Math.round(bytes / 1000)} KB`;

/** `answer;desc="cached", database;desc="1 round trip, 6 rows read, 0 written"` */
const costText = (cost: string): string =>
  [...cost.matchAll(/desc="([^"]*)"/g)].map(([, part]) => part).join(' · ') || cost;

/** @param address path and query of this server's API */
export function useResponse(address: string | undefined) {
  return useQuery({
    queryKey: ['explorer', address],
    queryFn: ({ signal }) => run(address ?? '', signal),
    enabled: address !== undefined,
    placeholderData: keepPreviousData,
  });
}

export function Response({ result }: { readonly result: ReturnType<typeof useResponse> }) {
  const { data, error, refetch, isFetching, dataUpdatedAt } = result;
  if (error) return <Failure error={error} onRetry={() => refetch()} />;
  if (!data) return <Loading />;
  const { status, milliseconds, bytes, cost, body } = data;
  return (
    <section aria-label={text('Response')} aria-busy={isFetching} className="stack">
      <div className="row">
        <span className={`badge ${status < 400 ? 'good' : 'bad'}`}>{status}</span>
        <span className="muted">
          {milliseconds} ms · {sizeText(bytes)}
        </span>
        <span className="muted" title={text('Server-Timing. Deployments send it only with server.timing: true.')}>
          {cost ? costText(cost) : text('No cost: deployments send it only with server.timing: true')}
        </span>
      </div>
      {status >= 400 && <Explanation status={status} body={body} />}
      <div className="json mono card">
        <JsonTree key={dataUpdatedAt} value={body} />
      </div>
    </section>
  );
}
