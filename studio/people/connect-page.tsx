/**
 * @module The page that a client's request opens: what the client wants, who is signed in, and what that user allows. Who is
 * not signed in does it here, and stays.
 */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { attempt } from '../api/query-string.ts';
import { ApiError } from '../api/send.ts';
import { type Session, useSession } from '../api/session.ts';
import { forgetWanted, rememberWanted } from '../api/wanted.ts';
import { AccountSignIn } from '../shell/sign-in.tsx';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { LanguageSelect } from '../ui/inputs.tsx';
import { StudioMark } from '../ui/mark.tsx';
import { Failure, Notice, Result } from '../ui/states.tsx';
import { type ClientRequest, goBack, isOfApp, readRequest, type WayBack } from './consent.ts';
import { ConsentForm } from './consent-form.tsx';

interface StepProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A step of the page. The focus goes to its title, since what had it is gone. */
function Step({ title, children }: StepProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Studio`;
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </>
  );
}

function WayIn({ session, search }: { readonly session: Session | null; readonly search: URLSearchParams }) {
  useEffect(() => rememberWanted(`/connect?${search}`), [search]);
  return (
    <Step title={text('Sign in to connect a client')}>
      <p className="muted">
        {text('A client asks for access to the content of {host}. The next step shows which one.', {
          host: location.host,
        })}
      </p>
      {session?.token && <Notice>{text('With an API token, no client is connected. It takes an account.')}</Notice>}
      <AccountSignIn />
    </Step>
  );
}

interface LeavingProps {
  readonly title: string;
  readonly message: string;
  readonly way: WayBack;
  readonly search: URLSearchParams;
  /** Without a click on the button. */
  readonly isAtOnce?: boolean;
}

/** The way back to the client. This page stays where that is an app. */
function Leaving({ title, message, way, search, isAtOnce = false }: LeavingProps) {
  const [error, setError] = useState<unknown>();
  const leave = () => {
    try {
      goBack(way, search);
    } catch (reason) {
      setError(reason);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies(leave): it leaves once
  useEffect(() => {
    if (isAtOnce) leave();
  }, [isAtOnce]);
  return (
    <Step title={title}>
      <p>{message}</p>
      {error ? (
        <Failure error={error} />
      ) : (
        <div className="row">
          <Button label={text('Back to the client')} look="primary" onClick={leave} />
        </div>
      )}
    </Step>
  );
}

/** What the client has done wrong, as its own address will say. What it has there itself comes before. */
function mistakeIn({ location }: WayBack): string {
  const query = attempt(() => new URL(location).searchParams, new URLSearchParams());
  return query.getAll('error_description').at(-1) ?? '';
}

function NotAsked({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const isOff = error instanceof ApiError && error.status === 404;
  return (
    <Step title={text('No client is connected')}>
      {isOff ? (
        <p role="alert">{text('Clients cannot connect to this server: the setting oauth is off.')}</p>
      ) : (
        <Failure error={error} onRetry={onRetry} />
      )}
      <p className="muted">{text('Nothing was allowed. Begin again in the client.')}</p>
    </Step>
  );
}

/** The scheme of an app may look like a host, and says nothing of who it is. */
const titleOf = (asked: ClientRequest): string =>
  isOfApp(asked) && !asked.client.isVerified
    ? text('Connect an app?')
    : text('Connect {host}?', { host: asked.client.host });

function Consent({ session, search }: { readonly session: Session; readonly search: URLSearchParams }) {
  const [way, setWay] = useState<WayBack>();
  useEffect(forgetWanted, []);
  const found = useQuery({
    queryKey: ['client request', session.id, `${search}`],
    queryFn: () => readRequest(search),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (way) {
    const message = text('The client goes on from here. This page can be closed.');
    return <Leaving title={text('Your answer is sent')} message={message} way={way} search={search} isAtOnce />;
  }
  if (found.error) return <NotAsked error={found.error} onRetry={() => found.refetch()} />;
  return (
    <Result of={found}>
      {(asked) =>
        'location' in asked ? (
          <Leaving
            title={text('No client is connected')}
            message={text('The client has made a mistake: {reason}', { reason: mistakeIn(asked) })}
            way={asked}
            search={search}
          />
        ) : (
          <Step title={titleOf(asked)}>
            <ConsentForm asked={asked} search={search} onSent={setWay} />
          </Step>
        )
      }
    </Result>
  );
}

export function ConnectPage() {
  const [search] = useSearchParams();
  const session = useSession();
  return (
    <main className="stack sign-in">
      <StudioMark />
      {session?.isUser ? (
        <Consent key={`${session.id}?${search}`} session={session} search={search} />
      ) : (
        <WayIn session={session} search={search} />
      )}
      <div className="row">
        <LanguageSelect />
      </div>
    </main>
  );
}
