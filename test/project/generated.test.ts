/**
 * @module The tests that every project has: they are made from content-types/ and edgewise.config.ts.
 */

import { testProject } from 'edgewise/testing';
import { registry, settings } from '../../.edgewise/project.ts';

testProject({ files: registry, settings });
