/**
 * @module Overview.
 */
import { Page } from '../shell/page.tsx';

export const OverviewPage = () => <Page title="Overview">…</Page>;
