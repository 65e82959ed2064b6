/**
 * @module The start of Studio. It reads the model and the first list while the code of the screens is on its way.
 */
import './style.css';
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api/send.ts';
import { onOtherPerson, type Session, session } from './api/session.ts';
import { followLaterLinks, followLink } from './api/sign-in-link.ts';
import { keptView, listAt } from './list/kept-view.ts';
import { typeOfSegment } from './model/model.ts';
import { modelQuery, toModel } from './shell/model.ts';
import { loadLanguage } from './texts/language.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 1 && error instanceof ApiError && error.status === 0,
      refetchOnWindowFocus: false,
    },
  },
});

onOtherPerson(() => queries.clear());

/** Reads the model, and the list that the address names. Its screen shows what failed. */
async function readAhead(held: Session): Promise<void> {
  const model = toModel(await queries.fetchQuery(modelQuery(held)));
  const [, segment = '', search = ''] = /^#\/content\/([^/?]+)(.*)$/.exec(location.hash) ?? [];
  const type = typeOfSegment(model, segment);
  if (type?.kind !== 'collectionType') return;
  await queries.prefetchQuery(listAt(model, type, search || keptView(model, type)));
}

followLaterLinks();
await followLink();

const held = session();
if (held) readAhead(held).catch(() => {});
else import('./shell/sign-in.tsx').catch(() => {});

const [{ render }] = await Promise.all([import('./screens.tsx'), loadLanguage()]);
render(queries);
