/**
 * @module The last changes of everything, with who made them. Deleted documents lead to their history.
 */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type ResponseBody, request } from '../api/request.ts';
import { makerText, mayRestore, operationText, type Revision, revisionsAt } from '../document/revisions.ts';
import { type Document, editedStatus, type Model, screenOf } from '../model/model.ts';
import { DocumentLink } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { text, textsOf } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/inputs.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { timeText } from '../ui/texts.ts';

export const CHANGES = '/api/history';

/** An entry of `CHANGES`. */
interface Change extends Revision {
  /** Uid */
  readonly type: string;
}

const documentOf = ({ type, documentId, locale }: Change): string => `${type} ${documentId} ${locale}`;

/** Reads the titles of the documents that are there, one request for each type. */
async function readTitles(model: Model, changes: readonly Change[], signal: AbortSignal) {
  const byType = Map.groupBy(changes, ({ type }) => type);
  const found = [...byType].map(async ([uid, entries]): Promise<readonly (readonly [string, Document])[]> => {
    const type = model.types.get(uid);
    if (!type?.actions.has('find') || type.kind === 'singleType') return [];
    const query = {
      filters: { documentId: { $in: [...new Set(entries.map(({ documentId }) => documentId))] } },
      fields: [type.titleAttribute, 'locale'].filter((name) => type.shown.has(name)),
      ...(type.isLocalized && { locale: '*' }),
      ...(type.hasDrafts && { status: editedStatus(type) }),
      pagination: { limit: 100, withCount: false },
    };
    const { body } = await request<ResponseBody<readonly Document[]>>(type.path, { query, signal });
    return body.data.map((document) => {
      const { documentId, locale = null } = document;
      return [`${uid} ${documentId} ${locale}`, document];
    });
  });
  const results = await Promise.allSettled(found);
  return new Map(results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])));
}

/** A deletion, or the publication of a new document, makes entries of both versions. */
const isRepeated = (entry: Change, index: number, all: readonly Change[]): boolean => {
  const before = all[index - 1];
  return before?.operation === entry.operation && before.at === entry.at && documentOf(before) === documentOf(entry);
};

function ChangeLine({
  change,
  titles,
}: {
  readonly change: Change;
  readonly titles: ReadonlyMap<string, Document> | undefined;
}) {
  const model = useModel();
  const type = model.types.get(change.type);
  const { documentId, locale, at, operation } = change;
  const document = titles?.get(documentOf(change));
  const isSingle = type?.kind === 'singleType';
  const isGone = operation === 'delete' && titles !== undefined && !document && !isSingle;
  return (
    <li className="row nowrap between">
      <span className="grow">
        <DocumentLink type={type} document={{ documentId, locale, ...document }}>
          {isSingle ? type.name : undefined}
        </DocumentLink>{' '}
        <span className="muted">
          {type?.name ?? change.type} {locale} · {operationText(change)} {timeText(at)} · <bdi>{makerText(change)}</bdi>
        </span>
      </span>
      {isGone && type && mayRestore(type, true) && (
        <Link
          className="button"
          to={`${screenOf(type, documentId, locale)}${locale ? '&' : '?'}history=`}
          aria-label={text('Restore {name}', { name: documentId })}
        >
          {text('Restore')}
        </Link>
      )}
    </li>
  );
}

function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const model = useModel();
  const { data: titles } = useQuery({
    queryKey: ['titles', changes.map(documentOf)],
    queryFn: ({ signal }) => readTitles(model, changes, signal),
  });
  return changes
    .filter((change, index) => !isRepeated(change, index, changes))
    .map((change) => <ChangeLine key={change.revision} change={change} titles={titles} />);
}

export function LastChanges() {
  const [operation, setOperation] = useState('');
  const query = operation === '' ? {} : { operation };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    revisionsAt<Change>('changes', CHANGES, query, 10),
  );
  return (
    <section className="card padded stack">
      <div className="row between">
        <h2>{text('Last changes')}</h2>
        <Select
          label={text('Which changes')}
          value={operation}
          options={textsOf({ delete: 'Deletions', publish: 'Publications', restore: 'Restorations' })}
          none={text('All')}
          onChange={setOperation}
        />
      </div>
      {error && <Failure error={error} onRetry={refetch} />}
      {!data && !error && <Loading />}
      <ul className="plain">
        {data?.pages.map(({ data: changes }) => (
          <Changes key={changes[0]?.revision ?? ''} changes={changes} />
        ))}
      </ul>
      {data?.pages[0]?.data.length === 0 && <p className="muted">{text('There are none.')}</p>}
      {hasNextPage && (
        <Button label={text('Show more')} disabled={isFetchingNextPage} onClick={() => fetchNextPage()} />
      )}
    </section>
  );
}
