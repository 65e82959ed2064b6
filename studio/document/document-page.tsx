/**
 * @module One document: `/content/articles/<documentId>`, `/content/articles/new`, or a single type.
 */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useRef } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { type ContentType, screenOf, typeOfSegment } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { NotFound, PageLayout } from '../shell/page.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { DocumentEditor } from './document-editor.tsx';
import { OVER } from './leaving.tsx';
import { NoDocument } from './no-document.tsx';
import { isNewAt, type Place } from './place.ts';
import { localesOf, type ReadVersion, versionsAt } from './version.ts';

const DeletedDocument = lazy(async () => ({
  default: (await import('../history/deleted-document.tsx')).DeletedDocument,
}));

interface ScreenProps {
  readonly place: Place;
  /** Opens the place of the created document, in the same form. */
  readonly goOn: (created: Place) => void;
}

function Screen({ place, goOn }: ScreenProps) {
  const model = useModel();
  const { type, locale } = place;
  const isNew = isNewAt(place);
  const isRead = !isNew && type.actions.has(type.kind === 'singleType' ? 'find' : 'findOne');
  const { data, error, refetch } = useQuery({ ...versionsAt(model, place), enabled: isRead });
  // What was deleted meanwhile stays on the screen, with what was typed.
  const opened = useRef<ReadVersion>(null);
  opened.current = data?.edited ?? opened.current;
  const version = opened.current;
  const failure = data ? null : error;
  if (isRead && !data && !error) return <Loading />;
  const isInNoLocale = !isNew && type.kind === 'collectionType' && !data?.locales.length;
  const isUnknown = locale !== undefined && model.locales[locale] === undefined;
  if (!version && (failure || isInNoLocale || isUnknown || !type.actions.has(isNew ? 'create' : 'update'))) {
    if (!failure && isInNoLocale && type.actions.has('history'))
      return (
        <Suspense fallback={<Loading />}>
          <DeletedDocument place={place} />
        </Suspense>
      );
    return (
      <PageLayout title={type.name}>
        {failure ? <Failure error={failure} onRetry={() => refetch()} /> : <NoDocument type={type} />}
      </PageLayout>
    );
  }
  return (
    <DocumentEditor
      place={place}
      goOn={goOn}
      version={version}
      other={data?.other ?? null}
      published={data?.published ?? null}
      isDeleted={version !== null && data?.edited === null}
      locales={version ? localesOf(version.document) : (data?.locales ?? [])}
    />
  );
}

function Typed({ type, documentId }: { readonly type: ContentType; readonly documentId: string | undefined }) {
  const { defaultLocale } = useModel();
  const [search] = useSearchParams();
  const locale = type.isLocalized ? (search.get('locale') ?? defaultLocale) : undefined;
  const isNew = documentId === 'new';
  const place = useMemo(
    () => ({ type, documentId: isNew ? undefined : documentId, locale }),
    [type, documentId, isNew, locale],
  );
  const navigate = useNavigate();
  /** Counts the forms of new documents that went on as those of the created ones. */
  const forms = useRef({ count: 0, last: '' });
  const { count, last } = forms.current;
  const latest = useRef(search);
  latest.current = search;
  const address = `${type.uid}/${documentId}/${locale}`;
  const goOn = ({ documentId: created = '' }: Place) => {
    forms.current = { count: count + 1, last: `${type.uid}/${created}/${locale}` };
    const screen = screenOf(type, created, locale);
    // What was opened over the form meanwhile stays.
    const layers = new URLSearchParams(latest.current.getAll(OVER).map((each) => [OVER, each]));
    const shown = layers.size === 0 ? screen : `${screen}${locale ? '&' : '?'}${layers}`;
    navigate(shown, { replace: true, flushSync: true });
  };
  const key = isNew ? `${type.uid} ${count}` : address === last ? `${type.uid} ${count - 1}` : address;
  return <Screen key={key} place={place} goOn={goOn} />;
}

export function DocumentPage() {
  const model = useModel();
  const { segment = '', documentId } = useParams();
  const type = typeOfSegment(model, segment);
  const isThere = type && (documentId === undefined || type.kind === 'collectionType');
  return isThere ? <Typed type={type} documentId={documentId} /> : <NotFound />;
}
