/**
 * @module Explorer of the API: `/explorer?request=<path and query>`. A request is clicked together, or typed.
 */
import { type KeyboardEvent, useMemo } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { address, type Query } from '../api/query-string.ts';
import type { Answer } from '../api/request.ts';
import { useSession } from '../api/session.ts';
import { ownTypes } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { Page } from '../shell/page.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { DelayedInput } from '../ui/inputs.tsx';
import { Tabs } from '../ui/popups.tsx';
import { copyText } from '../ui/toasts.tsx';
import { Controls } from './controls.tsx';
import { ownAddress, readAddress, snippets } from './request-state.ts';
import { Response, useResponse } from './response.tsx';

const snippet = (name: string, code: string) => (
  <div className="row nowrap top verbatim">
    <pre className="grow">{code}</pre>
    <IconButton icon="copy" label={`Copy ${name}`} onClick={() => copyText(code)} />
  </div>
);

export function ExplorerPage() {
  const model = useModel();
  const session = useSession();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { origin } = window.location;
  const typed = search.get('request') ?? ownTypes(model)[0]?.path ?? '/api/';
  const own = ownAddress(typed, origin);
  const explored = useMemo(() => readAddress(model, own ?? ''), [model, own]);
  const isOpen = explored.documentId === '';
  const result = useResponse(isOpen ? undefined : own);

  const show = (request: string) =>
    navigate({ search: `?request=${encodeURIComponent(request)}` }, { replace: true, flushSync: true });
  const change = (patch: Query) => show(address(explored.path, { ...explored.query, ...patch }));
  const pagination = explored.query.pagination as Query | undefined;
  const next = (result.data?.body as Partial<Answer<unknown>> | null | undefined)?.meta?.pagination?.next;
  const codes = Object.entries(snippets(origin, explored, Boolean(session?.token)));
  const panels = Object.fromEntries(codes.map(([name, code]) => [name, snippet(name, code)]));
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) result.refetch();
  };
  return (
    <Page title="Explorer">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key that works everywhere on this page */}
      <div className="beside-content" onKeyDown={press}>
        <Controls explored={explored} onPath={show} onChange={change} />
        <div className="stack content">
          <div className="row nowrap">
            <strong>GET</strong>
            <DelayedInput aria-label="Address" className="mono" spellCheck={false} value={typed} onCommit={show} />
            <IconButton icon="copy" label="Copy the URL" onClick={() => copyText(`${origin}${own}`)} />
            <Button
              label="Run"
              look="primary"
              aria-keyshortcuts="Control+Enter"
              disabled={!own}
              onClick={() => result.refetch()}
            />
          </div>
          {!own && (
            <p className="card failure">Only addresses of this server’s API can be explored, such as /api/articles.</p>
          )}
          {own && <Tabs panels={panels} />}
          {own && !isOpen && <Response result={result} />}
          {next && <Button label="Next page" onClick={() => change({ pagination: { ...pagination, after: next } })} />}
        </div>
      </div>
    </Page>
  );
}
