/**
 * @module The signed-in page, or the way in.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Outlet } from 'react-router';
import { signOut } from '../api/request.ts';
import { ApiError, clearExchanges } from '../api/send.ts';
import { type Session, useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { ModelProvider, modelQuery } from './model.ts';
import { Navigation } from './navigation.tsx';
import { SignIn } from './sign-in.tsx';

function NoDescription({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const isOff = error instanceof ApiError && error.status === 404;
  return (
    <main className="stack sign-in">
      {isOff ? (
        <p role="alert">
          This server does not describe itself: Studio needs <code>/openapi.json</code>, which the setting{' '}
          <code>server.openapi: false</code> removes.
        </p>
      ) : (
        <Failure error={error} onRetry={onRetry} />
      )}
      <Button onClick={signOut}>Sign out</Button>
    </main>
  );
}

function SignedIn({ session }: { readonly session: Session }) {
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

export function App() {
  const session = useSession();
  const queries = useQueryClient();
  const isSignedIn = session !== null;
  useEffect(() => {
    if (isSignedIn) return;
    queries.clear();
    clearExchanges();
  }, [isSignedIn, queries]);
  return (
    <>
      {session ? <SignedIn session={session} /> : <SignIn />}
      <Toasts />
    </>
  );
}
