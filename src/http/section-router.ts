/**
 * @module A router by section of the API, so that requests for content skip the patterns of users and files.
 */
import type { Result, Router } from 'hono/router';
import { PatternRouter } from 'hono/router/pattern-router';
import { memoized } from '../common/cache.ts';

type Added<T> = Parameters<Router<T>['add']>;

/** `users` of `/api/users/:id`, `uploads` of `/uploads/:key`, `*` for any. */
const sectionOf = (path: string): string => /^\/(?:api\/)?([^/]*)/.exec(path)?.[1] ?? '';

/** One `PatternRouter`, which tries routes in turn, for each section. */
export class SectionRouter<T> implements Router<T> {
  readonly name = 'SectionRouter';
  readonly #sections = new Map<string, PatternRouter<T>>();
  readonly #elsewhere = new PatternRouter<T>();
  /** Routes of every section. */
  readonly #common: Added<T>[] = [];
  readonly #routerOf = memoized((_section: string) => {
    const router = new PatternRouter<T>();
    for (const route of this.#common) router.add(...route);
    return router;
  }, this.#sections);

  add(...route: Added<T>): void {
    const section = sectionOf(route[1]);
    const isCommon = section === '*';
    if (isCommon) this.#common.push(route);
    const routers = isCommon ? [this.#elsewhere, ...this.#sections.values()] : [this.#routerOf(section)];
    for (const router of routers) router.add(...route);
  }

  match(method: string, path: string): Result<T> {
    return (this.#sections.get(sectionOf(path)) ?? this.#elsewhere).match(method, path);
  }
}
