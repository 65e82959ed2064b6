/**
 * @module Buttons, and icons: strokes in a square of 16.
 */
import type { ComponentProps } from 'react';

const PATHS = {
  add: 'M8 3v10M3 8h10',
  back: 'M10 3 5 8l5 5',
  bold: 'M5 3h3.5a2.4 2.4 0 0 1 0 4.8H5zM5 7.8h4a2.6 2.6 0 0 1 0 5.2H5zM5 3v10',
  check: 'm3 8.5 3.5 3.5L13 5',
  close: 'm4 4 8 8M12 4l-8 8',
  code: 'm5.5 4-4 4 4 4M10.5 4l4 4-4 4',
  copy: 'M6 6h7v7H6zM3 10V3h7',
  down: 'm4 6 4 4 4-4',
  drag: 'M6 3.5v.01M10 3.5v.01M6 8v.01M10 8v.01M6 12.5v.01M10 12.5v.01',
  crop: 'M4 1.5V12h10.5M1.5 4H12v10.5',
  document: 'M4 2h5l3 3v9H4zM9 2v3h3',
  edit: 'm3 13 .8-3.2L11 2.6 13.4 5l-7.2 7.2z',
  filter: 'M2 4h12M4.5 8h7M7 12h2',
  folder: 'M2 4h4l1.5 1.5H14V13H2z',
  globe: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c2.5 3.5 2.5 8.5 0 12M8 2c-2.5 3.5-2.5 8.5 0 12',
  heading: 'M4 3v10M12 3v10M4 8h8',
  home: 'M2.5 7.5 8 3l5.5 4.5M4 7v6h8V7',
  image: 'M2.5 3.5h11v9h-11zM3 11l3.5-3 2.5 2 2-1.5 2.5 2M10.5 6.2v.01',
  italic: 'M7 3h5M4 13h5M9.5 3l-3 10',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5v.01M6.7 6.5v.01M9.3 6.5v.01M12 6.5v.01M5 9.5h6',
  list: 'M5.5 4H14M5.5 8H14M5.5 12H14M2.5 4v.01M2.5 8v.01M2.5 12v.01',
  lock: 'M4 7.5h8V13H4zM5.5 7.5V5.8a2.5 2.5 0 0 1 5 0v1.7',
  menu: 'M2 4h12M2 8h12M2 12h12',
  more: 'M3 7.6a.4.4 0 1 0 0 .8.4.4 0 0 0 0-.8zM8 7.6a.4.4 0 1 0 0 .8.4.4 0 0 0 0-.8zM13 7.6a.4.4 0 1 0 0 .8.4.4 0 0 0 0-.8z',
  none: 'M5 8h6',
  numbers: 'M6.5 4H14M6.5 8H14M6.5 12H14M2 3l1.2-.8V6M1.8 10.2h1.8L1.8 13h2',
  out: 'M6 3H3v10h3M10 5l3 3-3 3M13 8H6.5',
  part: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 2.5v11M6 3.5v9M4 5.2v5.6',
  quote: 'M3 4.5h3.5V8c0 2-1 3-3 3.5M9 4.5h3.5V8c0 2-1 3-3 3.5',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5 14 14',
  single: 'M3 3h10v10H3zM3 6h10',
  trash: 'M3 4.5h10M6.5 4V2.5h3V4M4.5 4.5l.5 9h6l.5-9',
  up: 'm4 10 4-4 4 4',
  user: 'M8 2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM3 13.5c0-2.5 2-4 5-4s5 1.5 5 4',
  upload: 'M8 11V3M4.5 6 8 2.5 11.5 6M3 13.5h10',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

interface ButtonProps extends ComponentProps<'button'> {
  readonly label: string;
  readonly icon?: IconName;
  /** `primary`: the one action of a screen. `danger`: deletes. `quiet`: without a frame. */
  readonly look?: 'primary' | 'danger' | 'quiet' | undefined;
}

export function Button({ label, icon, look, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button ${look ?? ''} ${className}`} {...rest}>
      {icon && <Icon name={icon} />}
      {label}
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
