/**
 * @module The tests that every project has: they are made from content-types/ and edgewise.config.ts.
 */
import settings from '../../edgewise.config.ts';
import { bundled } from '../../src/registry/bundled.ts';
import { testProject } from './support/project.ts';

testProject({ files: bundled, settings });
