/**
 * @module The model for all screens.
 */
import { createContext, useContext } from 'react';
import type { Model } from '../model/model.ts';

const Context = createContext<Model | undefined>(undefined);

export const ModelProvider = Context.Provider;

/** @throws outside of the signed-in part of the page */
export function useModel(): Model {
  const model = useContext(Context);
  if (!model) throw new Error('There is no model here.');
  return model;
}
