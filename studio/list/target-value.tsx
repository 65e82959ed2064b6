/**
 * @module Documents that filters name by their ids: their titles, and the choice of one.
 */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Query } from '../api/query-string.ts';
import { type ResponseBody, readOf } from '../api/request.ts';
import { type ContentType, type Document, editedStatus, titleOf, versionQuery } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { DelayedInput, Select } from '../ui/inputs.tsx';
import { namedDocuments } from './filter-words.ts';
import type { FilterPart } from './filters.ts';

/** From this number of documents on they are searched. */
const MOST_OFFERED = 50;

/** Reads documents with their titles. The list of users is a bare array. */
const titlesOf = (type: ContentType, filters: Query) => {
  const { path, titleAttribute: title, isSystem } = type;
  const limit = isSystem ? { limit: MOST_OFFERED } : { pagination: { limit: MOST_OFFERED, withCount: false } };
  const version = versionQuery(type, editedStatus(type), undefined);
  type Body = ResponseBody<readonly Document[]> | readonly Document[];
  return {
    ...readOf<Body>(path, { fields: ['documentId', title], ...version, filters, sort: title, ...limit }),
    select: (body: Body) => ('data' in body ? body.data : body),
  };
};

const titleOfOne = (type: ContentType, documentId: string) => titlesOf(type, { documentId: { $eq: documentId } });

/** Returns the titles of the documents that filters name, by their ids. */
export function useTitles(uid: string, filters: FilterPart): ReadonlyMap<string, string> {
  const named = namedDocuments(useModel(), uid, filters);
  const found = useQueries({ queries: named.map(([type, documentId]) => titleOfOne(type, documentId)) });
  return new Map(
    named.flatMap(([type, documentId], index): readonly (readonly [string, string])[] => {
      const { data, isPending } = found[index] ?? {};
      if (isPending) return [[documentId, '…']];
      return (data ?? []).map((document) => [documentId, titleOf(type, document)]);
    }),
  );
}

interface TargetValueProps {
  readonly type: ContentType;
  readonly label: string;
  /** The id of the document, or ''. */
  readonly value: string;
  readonly onChange: (documentId: string) => void;
}

export function TargetValue({ type, label, value, onChange }: TargetValueProps) {
  const [typed, setTyped] = useState('');
  const { data = [] } = useQuery(titlesOf(type, typed ? { [type.titleAttribute]: { $containsi: typed } } : {}));
  const { data: chosen = [], isPending } = useQuery({ ...titleOfOne(type, value), enabled: value !== '' });
  const unknown = value ? [[value, isPending ? '…' : value] as const] : [];
  const titles = [...chosen, ...data].map((document) => [document.documentId, titleOf(type, document)] as const);
  return (
    <>
      {(typed !== '' || data.length === MOST_OFFERED) && (
        <DelayedInput
          type="search"
          label={text('Search {name}', { name: type.plural })}
          value={typed}
          onCommit={setTyped}
        />
      )}
      <Select
        label={label}
        value={value}
        options={Object.fromEntries([...unknown, ...titles])}
        none={text('Choose …')}
        onChange={onChange}
      />
    </>
  );
}
