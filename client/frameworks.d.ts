/**
 * @module What `client/` uses of Next, which no test of this repository but the builds of sites installs.
 */
declare module 'next/headers' {
  export function cookies(): Promise<{
    get(name: string): { readonly value: string } | undefined;
    set(name: string, value: string, options: object): void;
  }>;
  export function draftMode(): Promise<{ readonly isEnabled: boolean; enable(): void; disable(): void }>;
}

declare module 'next/cache' {
  export function revalidateTag(tag: string, profile: string | { readonly expire: number }): void;
}
