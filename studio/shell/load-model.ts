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

async function loadModel(): Promise<Model> {
  return readModel((await request<Description>('/openapi.json')).body, isReadOnly());
}

export const modelQuery = ({ name }: Session) =>
  queryOptions({ queryKey: ['model', name], queryFn: loadModel, staleTime: 60_000 });
