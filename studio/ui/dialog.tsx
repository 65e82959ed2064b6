/**
 * @module Dialogs.
 */
import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { Button, IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const FIRST = '.dialog-body :is(input, select, textarea, button), .dialog-footer button';

/** A dialog that is open as long as it is rendered. The focus begins behind the button that closes it. */
export function Dialog({ title, isWide = false, onClose, children }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const first = () => popup.current?.querySelector<HTMLElement>(FIRST) ?? true;
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup ref={popup} initialFocus={first} className={`stack dialog ${isWide ? 'wide' : ''}`}>
          <header className="row dialog-header">
            <Base.Title className="dialog-title">{title}</Base.Title>
            <Base.Close render={<IconButton icon="close" label="Close" />} />
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export interface ConfirmProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, text, action, isDangerous = false, onConfirm, onClose }: ConfirmProps) {
  const confirm = () => {
    onClose();
    onConfirm();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body">{text}</div>
      <footer className="row dialog-footer">
        <Button onClick={onClose}>Cancel</Button>
        <Button look={isDangerous ? 'danger' : 'primary'} onClick={confirm}>
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
