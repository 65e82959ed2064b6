/**
 * @module The start of Studio. It reads the model while the code of the first screen is on its way.
 */
import './style.css';
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api/send.ts';
import { session } from './api/session.ts';
import { modelQuery } from './shell/model.ts';
import { loadLanguage } from './texts/language.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 1 && error instanceof ApiError && error.status === 0,
      refetchOnWindowFocus: false,
    },
  },
});

const held = session();
if (held) queries.prefetchQuery(modelQuery(held));

const [{ render }] = await Promise.all([import('./screens.tsx'), loadLanguage()]);
render(queries);
