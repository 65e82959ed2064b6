/**
 * @module The list of requests that the screens have made.
 */
import { Link } from 'react-router';
import { type Exchange, useExchanges } from '../api/exchanges.ts';
import type { Model } from '../model/model.ts';
import { IconButton } from '../ui/button.tsx';
import { Popover } from '../ui/popover.tsx';
import { useModel } from './model-context.ts';

const MOST_CHARACTERS = 10_000;

/** Returns the body as it is shown: without passwords, and not endless. */
function bodyText({ types, components }: Model, body: unknown): string {
  const isPassword = (name: string) =>
    [...types.values(), ...components.values()].some(({ attributes }) => attributes[name]?.type === 'password');
  const text = JSON.stringify(body, (name, value) => (isPassword(name) ? '…' : value), 2);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text;
}

function Line({ exchange }: { readonly exchange: Exchange }) {
  const model = useModel();
  const { method, address, status, milliseconds, cost, body } = exchange;
  return (
    <li>
      <div className="row">
        <code className="method">{method}</code>
        <code className={status >= 400 || status === 0 ? 'danger' : ''}>{status || 'failed'}</code>
        <span className="muted">{milliseconds} ms</span>
        {method === 'GET' && address.startsWith('/api/') && (
          <Link to={`/explorer?request=${encodeURIComponent(address)}`}>Explore</Link>
        )}
      </div>
      <pre className="muted">{address}</pre>
      {body !== undefined && <pre className="request-body">{bodyText(model, body)}</pre>}
      {cost && <div className="muted">{cost}</div>}
    </li>
  );
}

export function Requests() {
  const exchanges = useExchanges();
  return (
    <Popover label="Requests of this page" trigger={<IconButton icon="code" label="Requests of this page" />}>
      <h2>Requests</h2>
      <ol className="plain">
        {exchanges.map((exchange) => (
          <Line key={exchange.id} exchange={exchange} />
        ))}
      </ol>
    </Popover>
  );
}
