/**
 * @module Opens a preview: keeps the token of the link in a cookie, and leads to the page.
 */
export { openPreview as GET } from 'edgewise-client/next';
