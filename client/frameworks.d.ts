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

declare module 'astro/zod' {
  export interface ZodType<T> {
    parse(data: unknown): T;
  }
  export function any(): ZodType<never>;
}

declare module 'astro/loaders' {
  interface Entry<Data> {
    readonly id: string;
    readonly data: Data;
    readonly digest?: number | string;
  }
  interface Cached {
    readonly cacheHint?: { readonly tags?: string[]; readonly lastModified?: Date };
  }
  export interface LoaderContext {
    readonly store: {
      get(id: string): Entry<object> | undefined;
      has(id: string): boolean;
      set(entry: Entry<object>): boolean;
      delete(id: string): void;
      keys(): readonly string[];
    };
    readonly meta: { get(key: string): string | undefined; set(key: string, value: string): void };
    readonly logger: { info(message: string): void };
    parseData<Data>(entry: Entry<Data>): Promise<Data & object>;
    generateDigest(data: object): string;
  }
  export interface LiveLoader<Data, EntryFilter, CollectionFilter, Failure> {
    readonly name: string;
    loadEntry(context: {
      readonly filter: EntryFilter;
    }): Promise<(Entry<Data> & Cached) | { readonly error: Failure } | undefined>;
    loadCollection(context: {
      readonly filter?: CollectionFilter;
    }): Promise<({ readonly entries: (Entry<Data> & Cached)[] } & Cached) | { readonly error: Failure }>;
  }
}
