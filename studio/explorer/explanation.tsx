/**
 * @module What an error of the API means, and where it is documented.
 */
import { ApiError } from '../api/request.ts';
import type { Values } from '../model/model.ts';
import { Failure } from '../ui/states.tsx';

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

/** Some messages name the parameter alone: `Invalid parameter at 'status'`. */
const named = (message: string) => Object.keys(PAGES).find((name) => message.includes(`'${name}`));

export function Explanation({ status, body }: { readonly status: number; readonly body: unknown }) {
  const error = (body as { readonly error?: Values } | null)?.error ?? {};
  const message = String(error.message ?? `The server answered ${status}.`);
  const { key, source, path, param = named(message) } = (error.details ?? {}) as Values;
  const facts = Object.entries({ key, path, source, param }).filter(([, value]) => typeof value === 'string');
  const [, [strapi, own] = []] = Object.entries(PAGES).find(([name]) => name === param) ?? [];
  return (
    <>
      <Failure error={new ApiError(status, message)} />
      <p>
        {facts.map(([name, value]) => (
          <span key={name} className="fact">
            {name}: <code>{String(value)}</code>{' '}
          </span>
        ))}
        {strapi && (
          <>
            See{' '}
            <a href={`${STRAPI}/${strapi}`} rel="noreferrer" target="_blank">
              Strapi’s page about {String(param)}
            </a>{' '}
            and <code>docs/{own}</code>.
          </>
        )}
      </p>
    </>
  );
}
