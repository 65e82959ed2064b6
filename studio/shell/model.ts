/**
 * @module The model of the caller, for all screens.
 */
import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { request } from '../api/request.ts';
import type { Session } from '../api/session.ts';
import { type Description, type Model, readModel } from '../model/model.ts';

const isSet = (name: string, value: string): boolean =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content === value;

export const toModel = (description: Description): Model =>
  readModel(description, {
    isReadOnly: isSet('studio-mode', 'read-only'),
    checksLinks: isSet('studio-relations', 'strict'),
  });

/** The model stays the same object as long as the description does; it is read again when one comes back to the page. */
export const modelQuery = ({ id }: Session) =>
  queryOptions({
    queryKey: ['model', id],
    queryFn: async () => (await request<Description>('/openapi.json')).body,
    select: toModel,
    staleTime: 10_000,
    refetchOnWindowFocus: true,
  });

const Context = createContext<Model | undefined>(undefined);

export const ModelProvider = Context.Provider;

/** @throws outside of the signed-in part of the page */
export function useModel(): Model {
  const model = useContext(Context);
  if (!model) throw new Error('There is no model here.');
  return model;
}
