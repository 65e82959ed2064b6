/**
 * @module The pages of the documentation. It resolves no package, which tests of commands in workerd cannot.
 */
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In the package this module is in `dist/`. */
const DOCS = import.meta.url.includes('/dist/cli/core/') ? '../../../docs' : '../../docs';

/** The path of a page, which the package has, from where the command runs. */
export const docsPage = (name: string): string =>
  relative(process.cwd(), join(dirname(fileURLToPath(import.meta.url)), DOCS, name));
