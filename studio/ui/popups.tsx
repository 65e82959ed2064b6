/**
 * @module Dialogs, and the menus and panels that a button opens.
 */
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Popover as BasePopover } from '@base-ui/react/popover';
import { type ReactElement, type ReactNode, useRef } from 'react';
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
    <BaseDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup ref={popup} initialFocus={first} className={`stack dialog ${isWide ? 'wide' : ''}`}>
          <header className="row dialog-header">
            <BaseDialog.Title className="dialog-title">{title}</BaseDialog.Title>
            <BaseDialog.Close render={<IconButton icon="close" label="Close" />} />
          </header>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
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

interface MenuItem {
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly onSelect: () => void;
}

interface MenuProps {
  readonly trigger: ReactElement;
  readonly items: readonly MenuItem[];
}

export function Menu({ trigger, items }: MenuProps) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align="end" className="positioner">
          <BaseMenu.Popup className="popup menu">
            {items.map(({ label, isDangerous = false, onSelect }) => (
              <BaseMenu.Item key={label} onClick={onSelect} className={`menu-item ${isDangerous ? 'danger' : ''}`}>
                {label}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface PopoverProps {
  readonly trigger: ReactElement;
  readonly label: string;
  readonly children: ReactNode;
}

export function Popover({ trigger, label, children }: PopoverProps) {
  return (
    <BasePopover.Root>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner sideOffset={4} align="end" className="positioner">
          <BasePopover.Popup className="popup panel" aria-label={label}>
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
