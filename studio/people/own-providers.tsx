/**
 * @module The providers that sign in the user who is signed in: linking another one, and unlinking one.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Link } from '../api/provider-sign-in.ts';
import { coming, providers, providerTitle } from '../api/providers.ts';
import { request, useRead } from '../api/request.ts';
import { session } from '../api/session.ts';
import { useModel } from '../shell/model.ts';
import { text, textWith } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/popups.tsx';
import { Result } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { notify, notifyError } from '../ui/toasts.tsx';
import { ActionForm, CurrentPassword } from './form.tsx';

const IDENTITIES = '/api/users/me/identities';

interface Identity {
  readonly provider: string;
  readonly createdAt: string;
}

const providerSignIn = () => import('../api/provider-sign-in.ts');

/** The sign-in that the provider has led back from, if any. */
function useLink(mayLink: boolean) {
  const [link, setLink] = useState<Link>();
  const isComing = coming.use() !== undefined;
  useEffect(() => {
    if (!isComing || !mayLink) return;
    coming.set(undefined);
    void providerSignIn().then(({ takeLink }) => setLink(takeLink()));
  }, [isComing, mayLink]);
  return [link, setLink] as const;
}

interface LinkFormProps {
  readonly link: Link;
  readonly hasPassword: boolean;
  readonly onEnd: () => void;
}

/** Who is linked signs in like the user, so it takes the password. */
function LinkForm({ link: { provider, proof, failure }, hasPassword, onEnd }: LinkFormProps) {
  if (!proof)
    return (
      <p className="danger small" role="alert">
        {text('The provider did not sign you in: {reason}', { reason: failure })}
      </p>
    );
  const save = async (form: FormData) => {
    await request(IDENTITIES, { method: 'POST', body: { ...proof, ...Object.fromEntries(form) } });
    notify(text('Linked'));
    onEnd();
  };
  return (
    <>
      <ActionForm label={text('Link {provider}', { provider: providerTitle(provider) })} action={save}>
        {hasPassword && <CurrentPassword />}
      </ActionForm>
      <div className="row">
        <Button label={text('Cancel')} look="quiet" onClick={onEnd} />
      </div>
    </>
  );
}

interface ListProps {
  readonly identities: readonly Identity[];
  /** Absent for users who may not. */
  readonly onUnlink: ((provider: string) => void) | undefined;
}

const IdentityList = ({ identities, onUnlink }: ListProps) => (
  <ul className="plain">
    {identities.length === 0 && <li className="muted">{text('Nothing is here.')}</li>}
    {identities.map(({ provider, createdAt }) => (
      <li key={provider} className="row nowrap between">
        <span className="grow">
          {providerTitle(provider)}
          <div className="muted small">{textWith('Since {since}', { since: <Time of={createdAt} /> })}</div>
        </span>
        {onUnlink && (
          <Button
            label={text('Unlink')}
            aria-label={text('Unlink {provider}', { provider: providerTitle(provider) })}
            onClick={() => onUnlink(provider)}
          />
        )}
      </li>
    ))}
  </ul>
);

export function OwnProviders({ hasPassword }: { readonly hasPassword: boolean }) {
  const { may } = useModel();
  const queries = useQueryClient();
  const [isThere, mayLink] = [may('get', IDENTITIES), may('post', IDENTITIES)];
  const found = useRead<{ readonly data: readonly Identity[] }>(IDENTITIES, {}, isThere);
  const [link, setLink] = useLink(isThere && mayLink);
  const [ending, setEnding] = useState<string>();
  if (!isThere) return null;
  const readAgain = () => queries.invalidateQueries({ queryKey: [IDENTITIES] });
  const unlink = async (provider: string) => {
    try {
      await request(`${IDENTITIES}/${provider}`, { method: 'DELETE' });
      notify(text('Unlinked'));
    } catch (error) {
      notifyError(text('The provider is still linked'), error);
    }
    await readAgain();
  };
  const linked = () => {
    setLink(undefined);
    void readAgain();
  };
  const go = (provider: string) =>
    void providerSignIn().then(({ goToProvider }) => goToProvider(provider, session()?.id));
  const mayUnlink = may('delete', `${IDENTITIES}/{provider}`);
  return (
    <section className="card padded stack">
      <h2>{text('Signing in by providers')}</h2>
      <Result of={found}>
        {({ data }) => (
          <>
            <IdentityList identities={data} onUnlink={mayUnlink ? setEnding : undefined} />
            {link && <LinkForm link={link} hasPassword={hasPassword} onEnd={linked} />}
            {mayLink && !link?.proof && (
              <div className="row">
                {providers()
                  .filter((name) => !data.some(({ provider }) => provider === name))
                  .map((name) => (
                    <Button
                      key={name}
                      label={text('Link {provider}', { provider: providerTitle(name) })}
                      onClick={() => go(name)}
                    />
                  ))}
              </div>
            )}
          </>
        )}
      </Result>
      {ending && (
        <Confirm
          title={text('Unlink {provider}?', { provider: providerTitle(ending) })}
          text={text('It no longer signs you in.')}
          action={text('Unlink')}
          isDangerous
          onConfirm={() => unlink(ending)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </section>
  );
}
