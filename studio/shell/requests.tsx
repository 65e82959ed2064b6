/**
 * @module The list of requests that the screens have made.
 */
import { Link } from 'react-router';
import { type Exchange, useExchanges } from '../api/exchanges.ts';
import { IconButton } from '../ui/button.tsx';
import { Popover } from '../ui/popover.tsx';

function Line({ exchange }: { readonly exchange: Exchange }) {
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
      {body !== undefined && <pre className="request-body">{JSON.stringify(body, null, 2)}</pre>}
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
