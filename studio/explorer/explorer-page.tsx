/**
 * @module Explorer.
 */
import { Page } from '../shell/page.tsx';

export const ExplorerPage = () => <Page title="Explorer">…</Page>;
