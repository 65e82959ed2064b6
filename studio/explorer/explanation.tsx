/**
 * @module What an error of the API means, and where it is documented.
 */
import type { Values } from '../model/model.ts';

const STRAPI = 'https://docs.strapi.io/cms/api/rest';

/** By parameter: the page of Strapi's documentation, and the one of this server. */
const PAGES: Readonly<Record<string, readonly [strapi: string, own: string]>> = {
  fields: ['populate-select#field-selection', 'reading.md#fields'],
  populate: ['populate-select#population', 'reading.md#populate'],
  filters: ['filters', 'reading.md#filters'],
  sort: ['sort-pagination#sorting', 'reading.md#sort'],
  pagination: ['sort-pagination#pagination', 'reading.md#pagination'],
  _q: ['parameters', 'reading.md#search'],
  status: ['status', 'reading.md#drafts'],
  publicationFilter: ['status', 'reading.md#drafts'],
  locale: ['locale', 'writing.md#locales'],
};

const ADVICE: Readonly<Record<number, string>> = {
  401: 'The credential is not valid here.',
  403: 'Your role or token does not have the right to this request: docs/access.md.',
  404: 'There is no such path or document, or you may not see it.',
  429: 'Too many requests. Wait a minute.',
};

/** Some messages name the parameter alone, such as `Invalid parameter at 'status'`. */
const named = (message: string): string | undefined => Object.keys(PAGES).find((name) => message.includes(`'${name}`));

export function Explanation({ status, body }: { readonly status: number; readonly body: unknown }) {
  const error = (body as { readonly error?: Values } | null)?.error ?? {};
  const { key, source, param, path } = (error.details ?? {}) as Values;
  const message = String(error.message ?? `The server answered ${status}.`);
  const parameter = typeof param === 'string' ? param : named(message);
  const [strapi, own] = (parameter !== undefined && Object.hasOwn(PAGES, parameter) && PAGES[parameter]) || [];
  const facts = Object.entries({ key, source, parameter, path }).filter(([, value]) => typeof value === 'string');
  return (
    <div className="failure" role="alert">
      <strong>{message}</strong>
      {ADVICE[status] && <p>{ADVICE[status]}</p>}
      {facts.length > 0 && (
        <p>
          {facts.map(([name, value]) => (
            <span key={name}>
              {name} <code>{String(value)}</code>{' '}
            </span>
          ))}
        </p>
      )}
      {strapi && (
        <p>
          <a href={`${STRAPI}/${strapi}`} rel="noreferrer" target="_blank">
            {parameter} in Strapi’s documentation
          </a>
          , and here in <code>docs/{own}</code>
        </p>
      )}
    </div>
  );
}
