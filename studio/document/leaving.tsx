/**
 * @module The question before one leaves a document with changes that are not saved.
 */
import { useEffect, useEffectEvent } from 'react';
import { type Location, useBeforeUnload, useBlocker, useLocation } from 'react-router';
import { createStore } from '../api/session.ts';
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
      title={text('You have unsaved changes')}
      cancel={text('Keep editing')}
      action={{ label: text('Leave and keep'), onClick: onLeave }}
      footer={<Button label={text('Discard changes')} look="danger" onClick={discard} />}
      onClose={onStay}
    >
      <p>{text('They are kept in this tab until it is closed.')}</p>
    </Dialog>
  );
}

/** The parameter of the address for what is open over its form. */
export const OVER = 'over';

/** Returns what an address opens over its form, from below. */
export const layersIn = (search: string): readonly string[] => new URLSearchParams(search).getAll(OVER);

/** The forms in layers over the screen, by how many forms are below. */
const layers = new Map<number, Editing>();

/** Returns the forms that an address has and another one has not. */
function formsLeft(screen: Editing, from: Location, to: Location, locale: string | undefined): readonly Editing[] {
  if (formAt(from, locale) !== formAt(to, locale)) return [screen, ...layers.values()];
  const [opened, next] = [layersIn(from.search), layersIn(to.search)];
  const isLeft = (depth: number) => opened.slice(0, depth).some((address, index) => address !== next[index]);
  return [...layers].filter(([depth]) => isLeft(depth)).map(([, editing]) => editing);
}

/** What is asked: over the last layer, for dialogs beside each other would hide each other. */
export const asked = createStore<QuestionProps | null>(null);

interface LeavingProps {
  readonly editing: Editing;
  /** Is another question open? One dialog hides what is outside of it, so two hide each other. */
  readonly isWaiting: boolean;
}

/** Asks before another screen is opened or a layer is closed; the browser asks before the page is closed or loaded again. */
export function Leaving({ editing, isWaiting }: LeavingProps) {
  const { defaultLocale } = useModel();
  const here = useLocation();
  const question = asked.use();
  useBeforeUnload((event) => {
    if ([editing, ...layers.values()].some((each) => each.isLeftUnsaved())) event.preventDefault();
  });
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      ![editing, ...layers.values()].some((each) => each.isMoving()) &&
      formsLeft(editing, currentLocation, nextLocation, defaultLocale).some((each) => each.isLeftUnsaved()),
  );
  const ask = useEffectEvent(() => {
    if (blocker.state !== 'blocked') return asked.set(null);
    const editings = formsLeft(editing, here, blocker.location, defaultLocale);
    asked.set({ editings, onStay: () => blocker.reset(), onLeave: () => blocker.proceed() });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies(blocker.state): it is asked when one is held back
  useEffect(() => ask(), [blocker.state]);
  useEffect(() => () => asked.set(null), []);
  return question && layers.size === 0 && !isWaiting && <Question {...question} />;
}

interface LayerLeavingProps extends LeavingProps {
  /** How many forms are below. */
  readonly depth: number;
}

/** Asks before a layer is closed, and is asked for with the screen. */
export function LayerLeaving({ editing, depth, isWaiting }: LayerLeavingProps) {
  const question = asked.use();
  useEffect(() => {
    layers.set(depth, editing);
    return () => {
      layers.delete(depth);
    };
  });
  return question && layers.size === depth && !isWaiting && <Question {...question} />;
}
