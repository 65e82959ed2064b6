/**
 * @module Document.
 */
import { Page } from '../shell/page.tsx';

export const DocumentPage = () => <Page title="Document">…</Page>;
