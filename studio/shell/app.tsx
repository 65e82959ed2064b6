/**
 * @module The signed-in page, or the way in.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Outlet } from 'react-router';
import { ApiError } from '../api/request.ts';
import { setSession, useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { loadModel } from './load-model.ts';
import { ModelProvider } from './model-context.ts';
import { Navigation } from './navigation.tsx';
import { SignIn } from './sign-in.tsx';

function NoDescription({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const isOff = error instanceof ApiError && error.status === 404;
  return (
    <main className="sign-in">
      {isOff ? (
        <p role="alert">
          This server does not describe itself: Studio needs <code>/openapi.json</code>, which the setting{' '}
          <code>server.openapi: false</code> removes.
        </p>
      ) : (
        <Failure error={error} onRetry={onRetry} />
      )}
      <Button onClick={() => setSession(null)}>Sign out</Button>
    </main>
  );
}

function SignedIn({ name }: { readonly name: string }) {
  const { data, error, refetch } = useQuery({ queryKey: ['model', name], queryFn: loadModel, staleTime: 60_000 });
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
    if (!isSignedIn) queries.clear();
  }, [isSignedIn, queries]);
  return (
    <>
      {session ? <SignedIn name={session.name} /> : <SignIn />}
      <Toasts />
    </>
  );
}
