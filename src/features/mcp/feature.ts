/**
 * @module Tools for agents: `POST /mcp`.
 */
import type { Part } from '../../routes/deployment.ts';
import { addToolRoutes } from './routes.ts';

export const mcp: Part = { addRoutes: addToolRoutes };
