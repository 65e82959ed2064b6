/**
 * @module Content.
 */
import { Page } from '../shell/page.tsx';

export const ContentPage = () => <Page title="Content">…</Page>;
