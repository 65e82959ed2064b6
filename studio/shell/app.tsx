/**
 * @module The signed-in page, or the way in.
 */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router';
import { signOut } from '../api/request.ts';
import { ApiError } from '../api/send.ts';
import { type Session, useSession } from '../api/session.ts';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { ModelProvider, modelQuery } from './model.ts';
import { Navigation } from './navigation.tsx';
import { useNoStrayFiles } from './stray-files.ts';

const NotDescribed = lazy(async () => ({ default: (await import('./not-described.tsx')).NotDescribed }));
const SignIn = lazy(async () => ({ default: (await import('./sign-in.tsx')).SignIn }));

function NoDescription({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const isOff = error instanceof ApiError && error.status === 404;
  return (
    <main className="stack sign-in">
      {isOff ? (
        <Suspense fallback={<Loading />}>
          <NotDescribed />
        </Suspense>
      ) : (
        <Failure error={error} onRetry={onRetry} />
      )}
      <Button label={text('Sign out')} onClick={signOut} />
    </main>
  );
}

function SignedInPage({ session }: { readonly session: Session }) {
  const { data, error, refetch } = useQuery(modelQuery(session));
  if (error && !data) return <NoDescription error={error} onRetry={() => refetch()} />;
  if (!data) return <Loading />;
  return (
    <ModelProvider value={data}>
      <div className="layout">
        <Navigation />
        <Outlet />
      </div>
    </ModelProvider>
  );
}

export function StudioApp() {
  const session = useSession();
  useNoStrayFiles();
  return (
    <>
      {session ? (
        <SignedInPage key={session.id} session={session} />
      ) : (
        <Suspense fallback={<Loading />}>
          <SignIn />
        </Suspense>
      )}
      <Toasts />
    </>
  );
}
