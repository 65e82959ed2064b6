/**
 * @module The question before one leaves a document with changes that are not saved.
 */
import { useEffect } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/popups.tsx';
import type { Editing } from './editing.ts';

/** The form of a document stays where only its history is opened. A new document may change its locale. */
const formAt = ({ pathname, search }: { readonly pathname: string; readonly search: string }, locale = ''): string =>
  pathname.endsWith('/new') ? pathname : `${pathname} ${new URLSearchParams(search).get('locale') ?? locale}`;

interface QuestionProps {
  readonly editings: readonly Editing[];
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

function Question({ editings, onStay, onLeave }: QuestionProps) {
  const discard = () => {
    for (const editing of editings) editing.end();
    onLeave();
  };
  return (
    <Dialog
      title={text('Leave without saving?')}
      cancel={text('Stay')}
      action={{ label: text('Leave'), onClick: onLeave }}
      footer={<Button label={text('Discard them')} look="danger" onClick={discard} />}
      onClose={onStay}
    >
      <p>
        {text(
          'Your changes are not saved. They stay in this tab until it is closed: lists mark the document, and its form has them again.',
        )}
      </p>
    </Dialog>
  );
}

/** The forms in layers over the screen. */
const layers = new Set<Editing>();

interface LeavingProps {
  readonly editing: Editing;
  /** Is another question open? One dialog hides what is outside of it, so two hide each other. */
  readonly isWaiting: boolean;
}

/** Asks before another screen is opened; the browser asks before the page is closed or loaded again. */
export function Leaving({ editing, isWaiting }: LeavingProps) {
  const { defaultLocale } = useModel();
  const all = () => [editing, ...layers];
  const isLeftUnsaved = () => all().some((each) => each.isLeftUnsaved());
  useBeforeUnload((event) => isLeftUnsaved() && event.preventDefault());
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      !editing.isMoving() &&
      formAt(currentLocation, defaultLocale) !== formAt(nextLocation, defaultLocale) &&
      isLeftUnsaved(),
  );
  if (blocker.state !== 'blocked' || isWaiting) return null;
  return <Question editings={all()} onStay={() => blocker.reset()} onLeave={() => blocker.proceed()} />;
}

interface LayerLeavingProps extends LeavingProps, Omit<QuestionProps, 'editings'> {
  readonly isAsked: boolean;
}

/** Asks before a layer is closed, and is asked for with the screen. */
export function LayerLeaving({ editing, isWaiting, isAsked, ...question }: LayerLeavingProps) {
  useEffect(() => {
    layers.add(editing);
    return () => {
      layers.delete(editing);
    };
  });
  return isAsked && !isWaiting && <Question editings={[editing]} {...question} />;
}
