/**
 * @module What a client asks for, as a form: the user allows as much of it as is right, or denies it.
 */
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { signOut } from '../api/request.ts';
import { useSession } from '../api/session.ts';
import { text, textWith } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Check } from '../ui/inputs.tsx';
import { Failure } from '../ui/states.tsx';
import {
  type ClientRequest,
  type Decision,
  isOfApp,
  LEVELS,
  type Level,
  sendDecision,
  type WayBack,
} from './consent.ts';

/** Milliseconds for which the page has the focus before a click counts. */
const STEADY = 500;

/**
 * Whether the page has had the focus for a while. Another page may lie over this one, and go while the user clicks on it
 * twice: the second click is not meant for this page.
 */
function useSteadyFocus(): boolean {
  const [isSteady, setSteady] = useState(false);
  useEffect(() => {
    let timer: number | undefined;
    const begin = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => setSteady(true), STEADY);
    };
    const end = () => {
      window.clearTimeout(timer);
      setSteady(false);
    };
    if (document.hasFocus()) begin();
    window.addEventListener('focus', begin);
    window.addEventListener('blur', end);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener('focus', begin);
      window.removeEventListener('blur', end);
    };
  }, []);
  return isSteady;
}

/** Who asks, and where the answer goes. A name is the client's own word, so it comes last. */
function Client({ asked }: { readonly asked: ClientRequest }) {
  const { client, redirect } = asked;
  const isLocal = client.isLoopback || redirect.isLoopback;
  const isApp = isOfApp(asked);
  const back = redirect.host || `${redirect.scheme}:`;
  return (
    <>
      <p>
        {textWith('{client} asks for access to the content of {host}. It calls itself “{name}”.', {
          client: <strong>{isApp && !client.isVerified ? text('An app') : client.host}</strong>,
          host: <strong>{location.host}</strong>,
          name: <bdi>{client.name}</bdi>,
        })}
      </p>
      <p>{textWith('Your answer goes to {back}.', { back: <strong>{back}</strong> })}</p>
      {(isLocal || isApp) && (
        <p className="notice">
          {isLocal
            ? text(
                'That is a program on this computer, and any program here can call itself this. Allow it only if you have just begun this there.',
              )
            : text(
                'That is an app on this device, and other apps can call themselves this. Allow it only if you have just begun this there.',
              )}
        </p>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly onChoose: () => void;
}

const Choice = ({ name, label, hint, isOn, onChoose }: ChoiceProps) => (
  <label className="row nowrap top">
    <input type="radio" name={name} checked={isOn} onChange={onChoose} />
    <span className="grow">
      {label}
      <br />
      <span className="muted small">{hint}</span>
    </span>
  </label>
);

const Group = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <fieldset className="inputs stack">
    <legend className="label">{label}</legend>
    {children}
  </fieldset>
);

/** What is left of a level for a content type of which the user may allow less. */
function typeLabel({ displayName, levels }: ClientRequest['types'][number], level: Level): string {
  if (levels.includes(level)) return displayName;
  return `${displayName} (${levels.includes('drafts') && level === 'write' ? text('drafts alone') : text('reading alone')})`;
}

interface ConsentFormProps {
  readonly asked: ClientRequest;
  /** The request. */
  readonly search: URLSearchParams;
  readonly onSent: (way: WayBack) => void;
}

export function ConsentForm({ asked, search, onSent }: ConsentFormProps) {
  const { levels, types } = asked;
  const session = useSession();
  const [level, setLevel] = useState<Level | undefined>(levels.includes('drafts') ? 'drafts' : levels[0]);
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const isSteady = useSteadyFocus();
  const isSent = useRef(false);
  const { error, isPending, mutate } = useMutation({
    mutationFn: (decision: Decision) => sendDecision(search, decision),
    onError: () => {
      isSent.current = false;
    },
  });
  const send = (decision: Decision) => {
    // The second of two clicks comes before the button is disabled.
    if (isSent.current) return;
    isSent.current = true;
    mutate(decision, { onSuccess: onSent });
  };
  const isReady = isSteady && !isPending;
  const choose = (uid: string, isOn: boolean) =>
    setChosen((before) => (isOn ? [...(before ?? []), uid] : (before ?? []).filter((other) => other !== uid)));
  return (
    <>
      <Client asked={asked} />
      {level === undefined ? (
        <p className="notice">{text('You have no right to content that it asks for, so there is nothing to allow.')}</p>
      ) : (
        <>
          <Group label={text('What it may do')}>
            {levels.map((each) => (
              <Choice
                key={each}
                name="level"
                label={text(LEVELS[each].name)}
                hint={text(LEVELS[each].meaning)}
                isOn={each === level}
                onChoose={() => setLevel(each)}
              />
            ))}
          </Group>
          <Group label={text('With what')}>
            <Choice
              name="types"
              label={text('All content types')}
              hint={text('Those that are added later, too.')}
              isOn={chosen === null}
              onChoose={() => setChosen(null)}
            />
            <Choice
              name="types"
              label={text('Chosen content types')}
              hint={text('To it, the others are not there. All files of the media library are.')}
              isOn={chosen !== null}
              onChoose={() => setChosen([])}
            />
            {chosen && (
              <div className="stack indented chosen">
                {types.map((type) => (
                  <Check
                    key={type.uid}
                    label={typeLabel(type, level)}
                    isOn={chosen.includes(type.uid)}
                    onChange={(isOn) => choose(type.uid, isOn)}
                  />
                ))}
                {chosen.length === 0 && <p className="muted small">{text('Choose at least one.')}</p>}
              </div>
            )}
          </Group>
          <p className="muted small">
            {text(
              'It never may do more than you, and nothing with users, sessions and settings. My account has a button that ends this.',
            )}
          </p>
        </>
      )}
      {error && <Failure error={error} />}
      <div className="row">
        {level !== undefined && (
          <Button
            label={text('Allow')}
            look="primary"
            disabled={!isReady || chosen?.length === 0}
            onClick={() => send({ level, types: chosen })}
          />
        )}
        <Button label={text('Deny')} disabled={!isReady} onClick={() => send({ isDenied: true })} />
      </div>
      <div className="row between">
        <span className="muted">{text('Signed in as {name}', { name: session?.name ?? '' })}</span>
        <Button label={text('Another account')} look="quiet" disabled={isPending} onClick={signOut} />
      </div>
    </>
  );
}
