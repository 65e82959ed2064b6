/**
 * @module What a Worker that `npm run dev` has bundled adds to a 401 or 403: the missing permission, and what grants it. The
 * bundle decides that, and no header of a request.
 */
import { isInBatch, type Problem, type SingleProblem, UnauthorizedError } from '../common/errors.ts';
import { looksLikeJwt } from '../content/credentials/jwt.ts';
import { type AppContext, OF_TOOL } from './context.ts';
import type { Deployment } from './deployment.ts';

/** Those that settings and tokens may name; a preview has others. */
const PERMISSION = /^(api|plugin)::/;

/** What the public usually may; a write is for callers with a token. */
const READ = /\.(find|findOne)$/;

const CREATE = 'npx edgewise token create --name <name>';
const UNKNOWN = new UnauthorizedError().message;
const NO_TOKEN_OF_HERE = `Is the token one of this server, neither expired nor revoked? To make one: ${CREATE} --type full-access`;

const tokenIn = (header: string): string | undefined => /^\s*bearer\s+(\S+)\s*$/i.exec(header)?.[1];

const settingOf = (role: string, id: string): string => `roles: { ${role}: ['${id}'] } in edgewise.config.ts`;

/** @param header `Authorization` */
function grantOf(id: string, header: string | undefined): string {
  const token = tokenIn(header ?? '');
  const create = `${CREATE} --type custom --permission ${id}`;
  if (token === undefined) {
    const isOther = header !== undefined ? ' The header Authorization is ignored: expected Bearer <token>.' : '';
    const toAll = READ.test(id) ? ` To grant it to everybody: ${settingOf('public', id)}.` : '';
    return `The public lacks the permission ${id}.${isOther}${toAll} To make a token that has it: ${create}`;
  }
  if (looksLikeJwt(token))
    return `The role of this user lacks the permission ${id}. To grant it: ${settingOf('<role>', id)}`;
  return `This API token lacks the permission ${id}. To make one that has it: ${create}`;
}

function explainedOne(problem: SingleProblem, header: string | undefined): SingleProblem {
  const { permission, message } = problem;
  const token = header && tokenIn(header);
  if (permission !== undefined && PERMISSION.test(permission))
    return { ...problem, message: `Forbidden. ${grantOf(permission, header)}`, details: { permission } };
  if (message === UNKNOWN && token) return { ...problem, message: `${message}. ${NO_TOKEN_OF_HERE}` };
  return problem;
}

/** Returns the problem as it is, unless the bundle explains it and the settings have errors of our own. */
export function explained(
  problem: Problem,
  { req, env }: AppContext,
  { explainsRights, settings }: Pick<Deployment, 'explainsRights' | 'settings'>,
): Problem {
  // Of a client it would name the grants of another caller.
  if (!explainsRights || settings.api.rest.errorDetails === 'strapi' || env[OF_TOOL]?.claims) return problem;
  const header = req.header('authorization');
  if (!isInBatch(problem)) return explainedOne(problem, header);
  return { ...problem, problem: explainedOne(problem.problem, header) };
}
