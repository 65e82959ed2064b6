/**
 * @module Dialogs, and the panels that a button or a tab opens. Lists load them after their rows: see `popover.tsx`.
 */
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Popover as BasePopover } from '@base-ui/react/popover';
import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { type ComponentProps, type ReactElement, type ReactNode, useRef } from 'react';
import { text } from '../texts/text.ts';
import { Button, IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly isWide?: boolean;
  /** What the dialog is for: its last button. */
  readonly action?: ComponentProps<typeof Button>;
  readonly cancel?: string;
  /** Before the buttons. */
  readonly footer?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const FIRST = '.dialog > :not(header) :is(input, select, textarea, button)';

/** A dialog that is open as long as it is rendered. The focus begins behind the button that closes it. */
export function Dialog({ title, isWide = false, action, cancel, footer, onClose, children }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const first = () => popup.current?.querySelector<HTMLElement>(FIRST) ?? true;
  return (
    <BaseDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup ref={popup} initialFocus={first} className={`stack dialog ${isWide ? 'wide' : ''}`}>
          <header className="row nowrap between">
            <BaseDialog.Title>{title}</BaseDialog.Title>
            <BaseDialog.Close render={<IconButton icon="close" label={text('Close')} />} />
          </header>
          <div className="stack">{children}</div>
          {action && (
            <footer className="row">
              {footer}
              <Button label={cancel ?? text('Cancel')} onClick={onClose} />
              <Button look="primary" {...action} />
            </footer>
          )}
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
  /** What is asked about is not shown yet. */
  readonly isDisabled?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function Confirm(props: ConfirmProps) {
  const { title, text: question, action, isDangerous = false, isDisabled = false, onConfirm, onClose } = props;
  const confirm = () => {
    onClose();
    onConfirm();
  };
  const look = isDangerous ? 'danger' : 'primary';
  return (
    <Dialog title={title} action={{ label: action, look, disabled: isDisabled, onClick: confirm }} onClose={onClose}>
      {question}
    </Dialog>
  );
}

interface PopoverProps {
  readonly trigger: ReactElement;
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** For `popover.tsx`. */
export const Popover = ({ trigger, label, isOpen, onOpenChange, children }: PopoverProps) => (
  <BasePopover.Root open={isOpen} onOpenChange={onOpenChange}>
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

interface TabsProps {
  /** By the names of their tabs. The first panel stays in the page when another is shown: it may be a form. */
  readonly panels: Readonly<Record<string, ReactNode>>;
  /** The name of the one that is shown at first; otherwise the first one. */
  readonly defaultValue?: string;
  /** The name of the shown one, where the page decides. */
  readonly value?: string;
  readonly onValueChange?: (value: string) => void;
  /** On the line of the tabs. */
  readonly aside?: ReactNode;
}

export function Tabs({ panels, aside, ...rest }: TabsProps) {
  const names = Object.keys(panels);
  return (
    <BaseTabs.Root className="stack" defaultValue={names[0]} {...rest}>
      {(names.length > 1 || aside) && (
        <div className="tab-line">
          {names.length > 1 && (
            <BaseTabs.List className="tabs">
              {names.map((name) => (
                <BaseTabs.Tab key={name} value={name}>
                  {name}
                </BaseTabs.Tab>
              ))}
            </BaseTabs.List>
          )}
          {aside}
        </div>
      )}
      {names.map((name, index) => (
        <BaseTabs.Panel key={name} value={name} keepMounted={index === 0}>
          {panels[name]}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
