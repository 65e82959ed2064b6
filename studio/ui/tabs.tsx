/**
 * @module Tabs, and the panel of one of them.
 */
import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps {
  /** By the names of their tabs. The first panel stays in the page when another is shown: it may be a form. */
  readonly panels: Readonly<Record<string, ReactNode>>;
  /** The name of the shown one, where the page decides. */
  readonly value?: string;
  readonly onValueChange?: (value: string) => void;
}

export function Tabs({ panels, ...rest }: TabsProps) {
  const names = Object.keys(panels);
  return (
    <Base.Root className="stack" defaultValue={names[0]} {...rest}>
      <Base.List className="tabs">
        {names.map((name) => (
          <Base.Tab key={name} value={name}>
            {name}
          </Base.Tab>
        ))}
      </Base.List>
      {names.map((name, index) => (
        <Base.Panel key={name} value={name} keepMounted={index === 0}>
          {panels[name]}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
