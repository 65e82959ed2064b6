/**
 * @module Buttons.
 */
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  readonly icon?: IconName;
  /** `primary`: the one action of a screen. `danger`: deletes. `quiet`: without a frame. */
  readonly look?: 'primary' | 'danger' | 'quiet' | undefined;
}

export function Button({ icon, look, children, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button ${look ?? ''} ${className}`} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: IconName;
  /** Said by screen readers, and shown when the pointer rests. */
  readonly label: string;
}

export function IconButton({ icon, label, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
