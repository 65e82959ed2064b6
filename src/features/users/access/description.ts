/**
 * @module The sign-in by Cloudflare Access in the OpenAPI document.
 */
import { accountActionId } from '../../../schema/account-routes.ts';
import { type FeatureDescription, type Operation, type Subject, tagged } from '../../description/granted-operation.ts';
import { text } from '../../description/json-schema.ts';
import { jsonResponse, responses } from '../../description/openapi-responses.ts';
import { signedInSchema, TAG } from '../description.ts';
import { ACCESS_ROUTE, ASSERTION } from './routes.ts';

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

function operations({ shapes, settings }: Subject): readonly Operation[] {
  const summary = 'Sign in with what Cloudflare Access asserts';
  const limited = settings.rateLimit.auth.enabled ? (['RateLimited'] as const) : [];
  return [
    tagged(TAG)(
      `${ACCESS_ROUTE.method} ${ACCESS_ROUTE.path}`,
      accountActionId('auth.callback'),
      'authAccess',
      summary,
      {
        parameters: [header(ASSERTION, 'Cloudflare Access adds it'), header('Origin', 'That of this server')],
        responses: responses('200', jsonResponse(summary, signedInSchema(shapes, settings)), ...limited),
      },
    ),
  ];
}

export const ACCESS: FeatureDescription = { operations };
