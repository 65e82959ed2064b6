/**
 * @module The operations of one content type, as requests. It knows no schema: a text as the first argument is a documentId.
 */
import type { Sent } from './request.ts';

/** Carries out a request, or keeps it for a batch. `data` is what the body has below that name. */
export type Perform = (method: string, path: string, options: Sent & { readonly data?: unknown }) => unknown;

type Options = Readonly<Record<string, unknown>>;

const REQUEST = ['signal', 'headers', 'init', 'ifMatch', 'ifNoneMatch', 'idempotencyKey'];

/** Separates the options of the request from the parameters of its query. */
export function sentOf(options: Options = {}): Sent {
  const entries = Object.entries(options);
  const isOption = ([name]: readonly [string, unknown]) => REQUEST.includes(name);
  const query = Object.fromEntries(entries.filter((entry) => !isOption(entry)));
  return { ...Object.fromEntries(entries.filter(isOption)), query };
}

/**
 * Returns the end of a path. `{ slug: 'night' }` is the document with this unique value.
 * @throws TypeError for a text that would lead to another path
 */
export function segmentOf(document: unknown): string {
  if (typeof document === 'string' && /^\.{0,2}$/.test(document)) throw new TypeError(`"${document}" is no documentId`);
  if (typeof document === 'string') return `/${encodeURIComponent(document)}`;
  const [[name, value] = []] = Object.entries(document as object);
  if (value === undefined || value === null) throw new TypeError(`${name} has no value`);
  return `/${name}:${encodeURIComponent(String(value))}`;
}

/** Returns the operations at a path, such as `/api/articles`. */
export function documentsAt(path: string, perform: Perform) {
  /** Separates the documentId, which single types do not have, from the other arguments. */
  const placed = (args: readonly unknown[]): readonly [at: string, ...rest: readonly unknown[]] =>
    typeof args[0] === 'string' ? [path + segmentOf(args[0]), ...args.slice(1)] : [path, ...args];

  const action =
    (name: string) =>
    (...args: readonly unknown[]) => {
      const [at, options = {}] = placed(args) as [string, Options?];
      const { at: time, revision, expiresIn, ...rest } = options;
      // Without it, the action would not be scheduled, but carried out at once.
      if ('at' in options && !time) throw new TypeError('at has no value');
      return perform('POST', `${at}/actions/${name}`, { ...sentOf(rest), data: { at: time, revision, expiresIn } });
    };

  return {
    find: (options?: Options) => perform('GET', path, sentOf(options)),
    findOne: (document: unknown, options?: Options) => perform('GET', path + segmentOf(document), sentOf(options)),
    create: (data: unknown, options?: Options) => perform('POST', path, { ...sentOf(options), data }),
    update: (...args: readonly unknown[]) => {
      const [at, data, options] = placed(args);
      return perform('PUT', at, { ...sentOf(options as Options), data });
    },
    delete: (...args: readonly unknown[]) => {
      const [at, options] = placed(args);
      return perform('DELETE', at, sentOf(options as Options));
    },
    publish: action('publish'),
    unpublish: action('unpublish'),
    discardDraft: action('discard-draft'),
    restore: action('restore'),
    previewLink: action('preview-link'),
    history: (...args: readonly unknown[]) => {
      const [at, options] = placed(args);
      return perform('GET', `${at}/history`, sentOf(options as Options));
    },
    version: (...args: readonly unknown[]) => {
      const [at, { revision, ...options }] = placed(args) as [string, Options];
      return perform('GET', `${at}/history${segmentOf(revision)}`, sentOf(options));
    },
  };
}
