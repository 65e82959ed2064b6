/**
 * @module The history of a document: the list of its versions, and one of them beside the draft.
 */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import type { Place } from '../document/place.ts';
import { formerVersionAt, historyAt, makerText, operationText, type Revision } from '../document/revisions.ts';
import type { Document } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Failure, Loading, Result } from '../ui/states.tsx';
import { addStyles } from '../ui/styles.ts';
import { Time } from '../ui/time.tsx';
import { FormerVersion, type FormerVersionProps } from './former-version.tsx';
import styles from './history.css' with { type: 'text' };

addStyles(styles);

/** Returns the address of a version. @param search that of the document */
const addressOf = ({ locale, revision }: Revision, search: URLSearchParams): string =>
  `?${new URLSearchParams({ ...Object.fromEntries(search), ...(locale !== null && { locale }), history: revision })}`;

/** One write makes entries of both versions, which the server has in any order. */
const newestFirst = (a: Revision, b: Revision): number =>
  b.at.localeCompare(a.at) || b.version.localeCompare(a.version);

interface LineProps {
  readonly place: Place;
  readonly entry: Revision;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Line({ place, entry, isSelected, onSelect }: LineProps) {
  const { locales } = useModel();
  const [search] = useSearchParams();
  const { locale, version, at, hasValues } = entry;
  const where = [
    place.type.hasDrafts && text(version === 'draft' ? 'Draft' : 'Published'),
    locale !== null && (locales[locale] ?? locale),
  ];
  const line = (
    <>
      <strong>{operationText(entry)}</strong>
      <span className="muted small">{where.filter(Boolean).join(' · ')}</span>
      <span className="muted small">
        <Time of={at} /> · <bdi>{makerText(entry)}</bdi>
      </span>
    </>
  );
  if (!hasValues) return <li className="history-line operation-line muted">{line}</li>;
  return (
    <li>
      <Link
        to={addressOf(entry, search)}
        className={`history-line operation-line ${isSelected ? 'current' : ''}`}
        aria-current={isSelected}
        onClick={onSelect}
      >
        {line}
      </Link>
    </li>
  );
}

interface PaneProps extends Pick<FormerVersionProps, 'onRestore' | 'onTake' | 'isUnsaved'> {
  readonly place: Place;
  /** The version that is edited; null where it is deleted. */
  readonly current: Document | null;
}

export function HistoryPane({ place, current, ...actions }: PaneProps) {
  const model = useModel();
  const [search] = useSearchParams();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(historyAt(place));
  /** Only who selects a version is led to it. */
  const isLed = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const entries = (data?.pages.flatMap((page) => page.data) ?? []).toSorted(newestFirst);
  const isHere = ({ locale, hasValues }: Revision) => hasValues && locale === (place.locale ?? null);
  const revision = search.get('history') || (current ? undefined : entries.find(isHere)?.revision);
  const former = useQuery({
    ...formerVersionAt(model, place, revision ?? ''),
    enabled: revision !== undefined,
  });
  const shown = former.data?.entry.revision;
  useEffect(() => {
    if (shown !== undefined && isLed.current) heading.current?.focus();
    isLed.current = false;
  }, [shown]);
  if (data && entries.length === 0)
    return (
      <Empty title={text('No version is kept yet')}>
        <p>{text('Each save from now on keeps one.')}</p>
      </Empty>
    );
  if (!data) return error ? <Failure error={error} onRetry={refetch} /> : <Loading />;
  const isOfPlace = ({ locale }: Revision) => locale === (place.locale ?? null);
  const elsewhere = entries.filter((entry) => !isOfPlace(entry));
  const list = (shownEntries: readonly Revision[]) => (
    <ol className="plain">
      {shownEntries.map((entry) => (
        <Line
          key={entry.revision}
          place={place}
          entry={entry}
          isSelected={entry.revision === revision}
          onSelect={() => {
            isLed.current = true;
          }}
        />
      ))}
    </ol>
  );
  return (
    <div className="beside-content">
      <section className="stack" aria-label={text('Versions')}>
        {list(entries.filter(isOfPlace))}
        {elsewhere.length > 0 && (
          <>
            <h2 className="muted small">{text('Other locales')}</h2>
            {list(elsewhere)}
          </>
        )}
        {hasNextPage && (
          <Button label={text('Show more')} disabled={isFetchingNextPage} onClick={() => fetchNextPage()} />
        )}
      </section>
      <div className="content">
        {revision === undefined ? (
          <Empty title={text('Choose a version')} />
        ) : (
          <Result of={former}>
            {(version) =>
              version.entry.locale === (place.locale ?? null) ? (
                <FormerVersion key={revision} {...{ place, version, current, heading }} {...actions} />
              ) : (
                <Navigate to={addressOf(version.entry, search)} replace />
              )
            }
          </Result>
        )}
      </div>
    </div>
  );
}
