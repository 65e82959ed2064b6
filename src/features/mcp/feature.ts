/**
 * @module Tools for agents: `POST /mcp`.
 */
import type { Feature } from '../../http/deployment.ts';
import { addToolRoutes } from './routes.ts';

export const mcp: Feature = { isOn: ({ mcp }) => mcp !== false, addRoutes: addToolRoutes };
