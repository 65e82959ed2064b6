/**
 * @module Menus that a button opens.
 */
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement } from 'react';

export interface MenuItem {
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
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="positioner">
          <Base.Popup className="popup menu">
            {items.map(({ label, isDangerous = false, onSelect }) => (
              <Base.Item key={label} onClick={onSelect} className={`menu-item ${isDangerous ? 'danger' : ''}`}>
                {label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
