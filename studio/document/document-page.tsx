/**
 * @module One document: `/content/articles/<documentId>`, `/content/articles/new`, or a single type.
 */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { type Answer, request } from '../api/request.ts';
import { type ContentType, type Document, typeOfSegment } from '../model/model.ts';
import { editedStatus, mayDo } from '../model/rights.ts';
import { useModel } from '../shell/model-context.ts';
import { Page } from '../shell/page.tsx';
import { NotFound } from '../shell/route-failure.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { DocumentEditor } from './document-editor.tsx';
import { keyOf, type Place, readVersion } from './version.ts';

function useVersion(place: Place, status: 'draft' | 'published', isEnabled: boolean) {
  const model = useModel();
  return useQuery({
    queryKey: keyOf(place, status),
    queryFn: ({ signal }) => readVersion(model, place, status, signal),
    enabled: isEnabled,
    refetchOnWindowFocus: true,
    staleTime: 1000,
  });
}

/** A document that is in no locale is not there at all. */
async function isInSomeLocale({ type, documentId }: Place): Promise<boolean> {
  const query = {
    filters: { documentId: { $eq: documentId } },
    locale: '*',
    ...(type.hasDrafts && { status: editedStatus(type) }),
    pagination: { limit: 1, withCount: false },
  };
  return (await request<Answer<readonly Document[]>>(type.path, { query })).body.data.length > 0;
}

function Screen({ place, isNew }: { readonly place: Place; readonly isNew: boolean }) {
  const model = useModel();
  const { type } = place;
  const status = editedStatus(type);
  const mayRead = mayDo(model, type, type.kind === 'singleType' ? 'find' : 'findOne');
  const edited = useVersion(place, status, !isNew && mayRead);
  const published = useVersion(place, 'published', !isNew && mayRead && status === 'draft');
  const isElsewhere = useQuery({
    queryKey: [type.path, 'some locale', place.documentId],
    queryFn: () => isInSomeLocale(place),
    enabled: edited.data === null && type.isLocalized && type.kind === 'collectionType',
  });
  const isWaiting =
    !isNew &&
    mayRead &&
    (edited.data === undefined || isElsewhere.isLoading || (status === 'draft' && published.isPending));
  if (edited.error) {
    return (
      <Page title={type.name}>
        <Failure error={edited.error} onRetry={() => edited.refetch()} />
      </Page>
    );
  }
  if (isWaiting) return <Loading />;
  const version = edited.data ?? null;
  const isMissing = !isNew && version === null && type.kind === 'collectionType' && isElsewhere.data !== true;
  if (isMissing || (version === null && !mayDo(model, type, isNew ? 'create' : 'update'))) {
    return (
      <Page title={type.name}>
        <Empty title="There is no such document, or you may not see it." />
      </Page>
    );
  }
  return <DocumentEditor place={place} version={version} published={published.data ?? null} />;
}

interface TypedProps {
  readonly type: ContentType;
  readonly documentId: string | undefined;
}

function Typed({ type, documentId }: TypedProps) {
  const { locales } = useModel();
  const [search] = useSearchParams();
  const initial = search.get('locale') ?? locales.find(({ isDefault }) => isDefault)?.code;
  const locale = type.isLocalized ? initial : undefined;
  const isNew = documentId === 'new' && type.kind === 'collectionType';
  const place = useMemo(
    () => ({ type, documentId: isNew ? undefined : documentId, locale }),
    [type, documentId, isNew, locale],
  );
  return <Screen key={`${type.uid}/${documentId}/${locale}`} place={place} isNew={isNew} />;
}

export function DocumentPage() {
  const model = useModel();
  const { segment = '', documentId } = useParams();
  const type = typeOfSegment(model, segment);
  return type ? <Typed type={type} documentId={documentId} /> : <NotFound />;
}
