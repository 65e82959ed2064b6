/**
 * @module Runs the request and shows the response with its cost.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { respond } from '../api/request.ts';
import { Failure, Loading } from '../ui/states.tsx';
import { Explanation } from './explanation.tsx';
import { JsonTree } from './json-tree.tsx';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function run(address: string, signal: AbortSignal) {
  const started = performance.now();
  const response = await respond(address, { signal });
  const text = await response.text();
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - started),
    bytes: new TextEncoder().encode(text).length,
    cost: response.headers.get('server-timing'),
    body: parsed(text),
  };
}

const sizeText = (bytes: number): string => (bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} KB`);

/** `answer;desc="cached", database;desc="1 round trip, 6 rows read, 0 written"` */
const costText = (cost: string): string =>
  [...cost.matchAll(/desc="([^"]*)"/g)].map(([, text]) => text).join(' · ') || cost;

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
  if (!data) return isFetching ? <Loading /> : null;
  const { status, milliseconds, bytes, cost, body } = data;
  return (
    <section aria-label="Response" aria-busy={isFetching} className="stack results">
      <div className="row">
        <span className={`badge ${status < 400 ? 'good' : 'bad'}`}>{status}</span>
        <span className="muted">
          {milliseconds} ms · {sizeText(bytes)}
        </span>
        <span className="muted" title="Server-Timing. Deployments send it only with server.timing: true.">
          {cost ? costText(cost) : 'No cost: deployments send it only with server.timing: true'}
        </span>
      </div>
      {status >= 400 && <Explanation status={status} body={body} />}
      <div className="json card">
        <JsonTree key={dataUpdatedAt} value={body} />
      </div>
    </section>
  );
}
