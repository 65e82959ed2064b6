/**
 * @module Reads the model of the caller.
 */
import { queryOptions } from '@tanstack/react-query';
import { request } from '../api/request.ts';
import type { Session } from '../api/session.ts';
import type { Model } from '../model/model.ts';
import { type Description, readModel } from '../model/read-model.ts';

const isReadOnly = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="studio-mode"]')?.content === 'read-only';

const toModel = (description: Description): Model => readModel(description, isReadOnly());

/** The model stays the same object as long as the description does; it is read again when one comes back to the page. */
export const modelQuery = ({ name }: Session) =>
  queryOptions({
    queryKey: ['model', name],
    queryFn: async () => (await request<Description>('/openapi.json')).body,
    select: toModel,
    staleTime: 10_000,
    refetchOnWindowFocus: true,
  });
