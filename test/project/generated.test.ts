/**
 * @module The tests that every project has: they are made from content-types/ and edgewise.config.ts.
 */

import { registry } from '../../.edgewise/project.ts';
import settings from '../../edgewise.config.ts';
import { testProject } from '../../src/testing/project.ts';

testProject({ files: registry, settings });
