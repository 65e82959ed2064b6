/**
 * @module Reference.
 */
import { Page } from '../shell/page.tsx';

export const ReferencePage = () => <Page title="Reference">…</Page>;
