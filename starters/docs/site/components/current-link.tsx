'use client';

/**
 * @module A link of the sidebar, which says whether it leads to the page that is open.
 */
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';

export function CurrentLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const isCurrent = usePathname() === href;
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      // On a phone the sidebar is a popover, which no longer has a use.
      onClick={(event) => event.currentTarget.closest<HTMLElement>('[popover]:popover-open')?.hidePopover()}
    >
      {children}
    </Link>
  );
}
