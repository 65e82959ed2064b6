/**
 * @module Sign-ins by providers in the OpenAPI document.
 */
import { accountActionId } from '../../../schema/account-routes.ts';
import { PROVIDER_ROUTES } from '../../../schema/provider-routes.ts';
import {
  type FeatureDescription,
  type Operation,
  pathParameter,
  queryParameter,
  type Subject,
  tagged,
} from '../../description/granted-operation.ts';
import { type JsonSchema, text } from '../../description/json-schema.ts';
import { jsonResponse, responses } from '../../description/openapi-responses.ts';
import { signedInSchema, TAG } from '../description.ts';

type Name = (typeof PROVIDER_ROUTES)[number]['name'];

const SUMMARIES: Readonly<Record<Name, string>> = {
  connect: 'Send the browser to a provider',
  return: 'Send the browser from a provider to the page that it came from',
  signIn: 'Sign in with what that page has got',
};

const PARAMETERS: Readonly<Record<Name, readonly string[]>> = {
  connect: ['callback', 'code_challenge', 'code_challenge_method'],
  return: ['code', 'state', 'iss', 'error', 'error_description'],
  signIn: ['access_token', 'code_verifier'],
};

function operations({ shapes, settings }: Subject): readonly Operation[] {
  const names: JsonSchema = { type: 'string', enum: Object.keys(settings.users.providers) };
  return PROVIDER_ROUTES.map(({ name, method, path, action }) => {
    const summary = SUMMARIES[name];
    const success =
      name === 'signIn' ? jsonResponse(summary, signedInSchema(shapes, settings)) : { description: summary };
    const limited = settings.rateLimit.auth.enabled ? (['RateLimited'] as const) : [];
    const address = `${method} /${path.slice(1).replace(':provider', '{provider}')}` as const;
    return tagged(TAG)(address, accountActionId(action), `${name}ByProvider`, summary, {
      pathParameters: [pathParameter('provider', names)],
      parameters: PARAMETERS[name].map((each) => queryParameter(each, text)),
      responses: responses(name === 'signIn' ? '200' : '302', success, ...limited),
    });
  });
}

export const PROVIDERS: FeatureDescription = { operations };
