/**
 * @module Menus that a button opens. Lists have none, so they do not load what menus need.
 */
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement } from 'react';
import { text } from '../texts/text.ts';

interface MenuProps {
  readonly trigger: ReactElement;
  readonly items: readonly {
    readonly label: string;
    readonly isDangerous?: boolean;
    readonly onSelect: () => void;
  }[];
}

/** Fixed, so that it does not move under the pointer when the page scrolls: triggers are in bars that stay. */
export const Menu = ({ trigger, items }: MenuProps) => (
  <Base.Root modal={false}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      {/* Everything is in a landmark. */}
      <section aria-label={text('Menu')}>
        <Base.Positioner positionMethod="fixed" sideOffset={4} align="end" className="positioner">
          <Base.Popup className="popup">
            {items.map(({ label, isDangerous = false, onSelect }) => (
              <Base.Item key={label} onClick={onSelect} className={`menu-item ${isDangerous ? 'danger' : ''}`}>
                {label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </section>
    </Base.Portal>
  </Base.Root>
);
