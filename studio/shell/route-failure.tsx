/**
 * @module What is shown in place of a screen that is not there, or that failed.
 */
import { Link, useRouteError } from 'react-router';
import { Empty, Failure } from '../ui/states.tsx';
import { Page } from './page.tsx';

export const NotFound = () => (
  <Page title="Not found">
    <Empty title="There is no such page">
      <Link to="/">To the overview</Link>
    </Empty>
  </Page>
);

export function RouteFailure() {
  return (
    <main className="page">
      <Failure error={useRouteError()} onRetry={() => window.location.reload()} />
    </main>
  );
}
