/**
 * @module The question before one leaves a document with changes that are not saved.
 */
import { useBeforeUnload, useBlocker } from 'react-router';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/popups.tsx';
import type { Editing } from './editing.ts';

/** The form of a document stays where only its history is opened. A new document may change its locale. */
const formAt = ({ pathname, search }: { readonly pathname: string; readonly search: string }): string =>
  pathname.endsWith('/new') ? pathname : `${pathname} ${new URLSearchParams(search).get('locale')}`;

/** Asks before another screen is opened; the browser asks before the page is closed or loaded again. */
export function Leaving({ editing }: { readonly editing: Editing }) {
  useBeforeUnload((event) => editing.isLeftUnsaved() && event.preventDefault());
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => formAt(currentLocation) !== formAt(nextLocation) && editing.isLeftUnsaved(),
  );
  if (blocker.state !== 'blocked') return null;
  const discard = () => {
    editing.end();
    blocker.proceed();
  };
  return (
    <Dialog
      title={text('Leave without saving?')}
      cancel={text('Stay')}
      action={{ label: text('Leave'), onClick: () => blocker.proceed() }}
      footer={<Button label={text('Discard them')} look="danger" onClick={discard} />}
      onClose={() => blocker.reset()}
    >
      <p>
        {text(
          'Your changes are not saved. They stay in this tab until it is closed: lists mark the document, and its form has them again.',
        )}
      </p>
    </Dialog>
  );
}
