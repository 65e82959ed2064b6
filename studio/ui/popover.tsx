/**
 * @module A button that opens a panel. The code of panels is loaded once the button is there.
 */
import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';

const Panel = lazy(async () => ({ default: (await import('./popups.tsx')).Popover }));

interface PopoverProps {
  readonly trigger: ReactElement<{ onClick?: () => void }>;
  readonly label: string;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/** A click before the code is there opens the panel with it. */
export function Popover({ trigger, label, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Suspense fallback={cloneElement(trigger, { onClick: () => setOpen(true) })}>
      <Panel trigger={trigger} label={label} isOpen={isOpen} onOpenChange={setOpen}>
        {typeof children === 'function' ? children(() => setOpen(false)) : children}
      </Panel>
    </Suspense>
  );
}
