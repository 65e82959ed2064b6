/**
 * @module One document: `/content/articles/<documentId>`, `/content/articles/new`, or a single type.
 */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { type Answer, request } from '../api/request.ts';
import { type ContentType, type Document, editedStatus, typeOfSegment } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { NotFound, Page } from '../shell/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { DocumentEditor } from './document-editor.tsx';
import { localesOf } from './locales.tsx';
import { isNewAt, keyOf, type Place, readVersion, type Version } from './version.ts';

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

/** Returns the locales that the document is in. */
async function readLocales({ type, documentId }: Place): Promise<readonly string[]> {
  const query = {
    filters: { documentId: { $eq: documentId } },
    fields: ['locale'],
    locale: '*',
    ...(type.hasDrafts && { status: editedStatus(type) }),
    pagination: { limit: 100, withCount: false },
  };
  const { body } = await request<Answer<readonly Document[]>>(type.path, { query });
  return body.data.map(({ locale }) => String(locale));
}

function Screen({ place }: { readonly place: Place }) {
  const model = useModel();
  const { type, documentId, locale } = place;
  const isNew = isNewAt(place);
  const status = editedStatus(type);
  const mayRead = type.actions.has(type.kind === 'singleType' ? 'find' : 'findOne');
  const edited = useVersion(place, status, !isNew && mayRead);
  const published = useVersion(place, 'published', !isNew && mayRead && status === 'draft');
  const elsewhere = useQuery({
    queryKey: [type.path, 'locales', documentId],
    queryFn: () => readLocales(place),
    enabled: edited.data === null && type.isLocalized && documentId !== undefined,
  });
  // What was deleted meanwhile stays on the screen, with what was typed.
  const opened = useRef<Version>(null);
  opened.current = edited.data ?? opened.current;
  const version = opened.current;
  const isWaiting =
    !isNew &&
    mayRead &&
    (edited.data === undefined || (!version && elsewhere.isLoading) || (status === 'draft' && published.isPending));
  if (edited.error && !version) {
    return (
      <Page title={type.name}>
        <Failure error={edited.error} onRetry={() => edited.refetch()} />
      </Page>
    );
  }
  if (isWaiting) return <Loading />;
  const isInNoLocale = !isNew && type.kind === 'collectionType' && !elsewhere.data?.length;
  const isUnknown = locale !== undefined && !model.locales.some(({ code }) => code === locale);
  if (!version && (isInNoLocale || isUnknown || !type.actions.has(isNew ? 'create' : 'update'))) {
    return (
      <Page title={type.name}>
        <Empty title="There is no such document, or you may not see it." />
      </Page>
    );
  }
  return (
    <DocumentEditor
      place={place}
      version={version}
      published={published.data ?? null}
      isDeleted={version !== null && edited.data === null}
      locales={version ? localesOf(version.document) : (elsewhere.data ?? [])}
    />
  );
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
  const isNew = documentId === 'new';
  const place = useMemo(
    () => ({ type, documentId: isNew ? undefined : documentId, locale }),
    [type, documentId, isNew, locale],
  );
  return <Screen key={`${type.uid}/${documentId}/${isNew ? '' : locale}`} place={place} />;
}

export function DocumentPage() {
  const model = useModel();
  const { segment = '', documentId } = useParams();
  const type = typeOfSegment(model, segment);
  const isThere = type && (documentId === undefined || type.kind === 'collectionType');
  return isThere ? <Typed type={type} documentId={documentId} /> : <NotFound />;
}
