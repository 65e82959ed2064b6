/**
 * @module The question before one leaves a panel with changes that are not saved. A panel is an address: each way out of it,
 * `Escape` and *Back* too, is one to another address.
 */
import { type ReactNode, useRef } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';
import { text } from '../texts/text.ts';
import { Dialog } from '../ui/popups.tsx';

interface Unsaved {
  /** For the panel. */
  readonly question: ReactNode;
  /** Lets the panel go without a question. */
  readonly end: () => void;
}

/** @param isChanged whether there is something to lose */
export function useUnsaved(isChanged: () => boolean): Unsaved {
  const hasEnded = useRef(false);
  const isLost = () => !hasEnded.current && isChanged();
  useBeforeUnload((event) => isLost() && event.preventDefault());
  const blocker = useBlocker(isLost);
  const question = blocker.state === 'blocked' && (
    <Dialog
      title={text('You have unsaved changes')}
      cancel={text('Keep editing')}
      action={{ label: text('Discard changes'), look: 'danger', onClick: () => blocker.proceed() }}
      onClose={() => blocker.reset()}
    >
      <p>{text('Your changes are not saved.')}</p>
    </Dialog>
  );
  return {
    question,
    end: () => {
      hasEnded.current = true;
    },
  };
}
