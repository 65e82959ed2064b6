/**
 * @module The last changes of everything, with who made them. Deleted documents lead to their history.
 */
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type ResponseBody, request } from '../api/request.ts';
import { makerText, mayRestore, nextPage, type Revision, readRevisions } from '../document/revisions.ts';
import { keyOfRef, readTitles, type Titles } from '../document/titles.ts';
import { labelOf } from '../model/attribute.ts';
import { type Document, type Model, screenOf, titleOf } from '../model/model.ts';
import { DocumentLink } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { type Text, text, textsOf, textWith } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/inputs.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';

export const CHANGES = '/api/history';

/** An entry of `CHANGES`. */
interface Change extends Revision {
  /** Uid */
  readonly type: string;
}

/** Returns documents that are gone as one of the changes has left them. What cannot be read is missing. */
async function readFormer(
  model: Model,
  changes: readonly Change[],
  known: Titles,
  signal: AbortSignal,
): Promise<Titles> {
  const gone = changes.filter((change) => change.hasValues && !known.has(keyOfRef(change)));
  const last = new Map(gone.toReversed().map((change) => [keyOfRef(change), change]));
  const found = [...last].map(async ([key, { type, documentId, revision }]) => {
    const path = `${model.types.get(type)?.path}/${documentId}/history/${revision}`;
    return [key, (await request<ResponseBody<Document>>(path, { signal })).body.data] as const;
  });
  const results = await Promise.allSettled(found);
  return new Map(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])));
}

/** Changes of `operation`, or all where it is empty, each page with the titles of its documents. */
const changesAt = (model: Model, operation: string) =>
  infiniteQueryOptions({
    queryKey: ['changes', operation],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...(operation !== '' && { operation }), pagination: { limit: 10 } };
      const page = await readRevisions<Change>(CHANGES, query, pageParam, signal);
      const isOfList = ({ type }: Change) => model.types.get(type)?.kind === 'collectionType';
      const titles = await readTitles(model, page.data, signal);
      return { ...page, titles, former: await readFormer(model, page.data.filter(isOfList), titles, signal) };
    },
    getNextPageParam: nextPage,
  });

/** Sentences by operations. */
const SENTENCES: Readonly<Record<string, Text>> = {
  create: '{who} created {what}',
  'create publish': '{who} published {what} for the first time',
  update: '{who} changed {what}',
  publish: '{who} published {what}',
  'publish update': '{who} changed and published {what}',
  unpublish: '{who} unpublished {what}',
  discardDraft: '{who} discarded the draft of {what}',
  restore: '{who} restored {what}',
  delete: '{who} deleted {what}',
};

/** What one request did to a document makes entries of both versions. */
const isSameAct = (one: Change, other: Change): boolean =>
  one.at === other.at && keyOfRef(one) === keyOfRef(other) && makerText(one) === makerText(other);

/** Returns the entries of each act. */
const actsOf = (changes: readonly Change[]): readonly (readonly [Change, ...Change[]])[] =>
  changes.reduce<[Change, ...Change[]][]>((acts, change) => {
    const last = acts.at(-1);
    if (last && isSameAct(last[0], change)) last.push(change);
    else acts.push([change]);
    return acts;
  }, []);

interface LineProps {
  readonly act: readonly [Change, ...Change[]];
  readonly titles: Titles;
  /** Of documents that are gone. */
  readonly former: Titles;
}

function ChangeLine({ act, titles, former }: LineProps) {
  const model = useModel();
  const [change] = act;
  const { documentId, locale, at, operation } = change;
  const type = model.types.get(change.type);
  const document = titles.get(keyOfRef(change));
  const named = { documentId, locale, ...(document ?? former.get(keyOfRef(change))) };
  const isSingle = type?.kind === 'singleType';
  const isGone = operation === 'delete' && !document && !isSingle;
  const operations = [...new Set(act.map((entry) => entry.operation))].sort().join(' ');
  const sentence = SENTENCES[operations] ?? SENTENCES[operation];
  const what = (
    <DocumentLink type={type} document={named}>
      {isSingle ? type.name : undefined}
    </DocumentLink>
  );
  const who = <bdi>{makerText(change)}</bdi>;
  return (
    <li className="row nowrap between">
      <div className="grow">
        {sentence ? (
          textWith(sentence, { who, what })
        ) : (
          <>
            {what}: {labelOf(operation)}
          </>
        )}
        <div className="muted small">
          {[type?.name ?? change.type, locale && (model.locales[locale] ?? locale)].filter(Boolean).join(' · ')} ·{' '}
          <Time of={at} />
        </div>
      </div>
      {isGone && type && mayRestore(type, true) && (
        <Link
          className="button"
          to={`${screenOf(type, documentId, locale)}${locale ? '&' : '?'}history=`}
          aria-label={text('Restore {name}', { name: titleOf(type, named) })}
        >
          {text('Restore')}
        </Link>
      )}
    </li>
  );
}

export function LastChanges() {
  const model = useModel();
  const [operation, setOperation] = useState('');
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    changesAt(model, operation),
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
      <ul className="plain lines">
        {data?.pages.flatMap(({ data: changes, titles, former }) =>
          actsOf(changes).map((act) => <ChangeLine key={act[0].revision} act={act} titles={titles} former={former} />),
        )}
      </ul>
      {data?.pages[0]?.data.length === 0 && <p className="muted">{text('There are none.')}</p>}
      {hasNextPage && (
        <Button label={text('Show more')} look="quiet" disabled={isFetchingNextPage} onClick={() => fetchNextPage()} />
      )}
    </section>
  );
}
