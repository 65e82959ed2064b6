/**
 * @module Reads the model of the caller: one request, and one more for the names of locales where that is granted.
 */
import { request } from '../api/request.ts';
import type { Locale, Model } from '../model/model.ts';
import { type Description, readModel } from '../model/read-model.ts';

const LOCALES = '/api/i18n/locales';

const isReadOnly = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="studio-mode"]')?.content === 'read-only';

export async function loadModel(): Promise<Model> {
  const { body } = await request<Description>('/openapi.json');
  const locales = body.paths[LOCALES] ? (await request<readonly Locale[]>(LOCALES)).body : [];
  return readModel(body, locales, isReadOnly());
}
