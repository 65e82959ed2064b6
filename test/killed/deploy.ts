/**
 * @module A deployment that is killed at each of its steps.
 */
import { DatabaseSync } from 'node:sqlite';
import { expect, vi } from 'vitest';
import { deploy } from '../../cli/deploy/deploy.ts';
import { emptyAccount, standIn } from '../unit/cli/cloudflare.ts';
import type { KilledProject } from './project.ts';

/** With what the deployment says that it goes on with. */
const STEPS: readonly (readonly [step: string, again: RegExp])[] = [
  ['versions upload', /uploading the new version …[\s\S]*going on with drizzle\/0002_lead\.sql/],
  ['versions deploy', /uploading the new version …[\s\S]*deployed database: up to date/],
  ['triggers deploy', /deployed database: up to date\nversion \S+ serves$/],
];

export async function deploys(project: KilledProject): Promise<void> {
  const database = project.path('deployed.sqlite');
  const account = { ...emptyAccount(), databases: new Map([['test', new DatabaseSync(database)]]) };
  const { quietly, openly } = standIn(project.root, account);
  const tools = { target: { remote: true }, quietly, openly, allowDrop: true, pause: async () => undefined };
  const deployed = async () => {
    const heard = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      await deploy(project.root, tools);
      return heard.mock.calls.map(([text]) => String(text).trimEnd()).join('\n');
    } finally {
      heard.mockRestore();
    }
  };
  try {
    await deployed();
    const attributes: Record<string, { type: string }> = { text: { type: 'text' } };
    for (const [index, [step, again]] of STEPS.entries()) {
      const name = ['lead', 'body', 'end'][index] ?? '';
      attributes[name] = { type: 'text' };
      project.schema(attributes);
      await project.done(`generate --name ${name}`);
      const args = [project.root, database, step];
      await project.killedScript('test/killed/child-deploy.ts', args, (said) => said.includes(step));
      await expect(deployed()).rejects.toThrow('If it was killed, its claim expires at');
      account.databases.get('test')?.exec('UPDATE edgewise_commands SET "until" = 0');
      expect(await deployed()).toMatch(again);
      expect(account.live).toBe(account.versions.at(-1));
    }
  } finally {
    for (const db of account.databases.values()) db.close();
  }
}
