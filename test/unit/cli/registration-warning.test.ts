/**
 * @module The warning of `dev` and `deploy` where strangers may write all content.
 */
import { expect, it } from 'vitest';
import { registrationWarnings } from '../../../cli/deploy/warnings.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';

const isWarned = (settings: SettingsInput): boolean => registrationWarnings(parseSettings(settings)).length > 0;

it.each(['*', 'api::*', 'api::*.*', 'api::*.create', 'api::*.publish'])(
  'warns of %s for everybody who registers',
  (grant) => {
    expect(isWarned({ roles: { authenticated: ['plugin::upload.*', grant] } })).toBe(true);
    expect(isWarned({ roles: { member: [grant] }, users: { defaultRole: 'member' } })).toBe(true);
  },
);

it.each<[string, SettingsInput]>([
  ['a role that nobody gets by registering', { roles: { editor: ['api::*'] } }],
  ['closed registrations', { roles: { authenticated: ['api::*'] }, users: { allowRegistration: false } }],
  ['reads of all types', { roles: { authenticated: ['api::*.find', 'api::*.readDrafts'] } }],
  ['writes of one type', { roles: { authenticated: ['api::comment.comment.create', 'api::comment.*'] } }],
])('says nothing of %s', (_, settings) => {
  expect(isWarned(settings)).toBe(false);
});
