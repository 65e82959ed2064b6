/**
 * @module Who puts content types of their own beside what the demo brought is told how to be rid of the rest.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The line for a message about names or content that may be the demo's; none where there is no demo. */
export const demoHint = (root: string): readonly string[] =>
  existsSync(join(root, 'demo'))
    ? ['If this is about the demo, which you want to leave behind: npm run init (it keeps your content types)']
    : [];
