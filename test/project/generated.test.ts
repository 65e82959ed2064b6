/**
 * @module The tests that every project has: they are made from content-types/ and edgewise.config.ts.
 */

import { registry, settings } from '../../.edgewise/project.ts';
import { testProject } from '../../testing/project.ts';

testProject({ files: registry, settings });
