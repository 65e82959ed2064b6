/**
 * @module Media.
 */
import { Page } from '../shell/page.tsx';

export const MediaPage = () => <Page title="Media">…</Page>;
