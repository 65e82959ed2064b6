import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openArchive } from '../../../../cli/core/archive/archive-file.ts';
import { type ImportFlags, importSurvey } from '../../../../cli/import/import.ts';
import { planSettings } from '../../../../cli/import/plan-project.ts';
import { newWarnings, surveyArchive } from '../../../../cli/import/survey.ts';
import { loadSettings } from '../../../../cli/project/settings.ts';
import { writeFiles } from '../../../../cli/project/write-files.ts';
import { archiveOf } from '../../../support/archive.ts';
import { itLong } from '../../../support/tier.ts';
import { wranglerToml } from '../cloudflare.ts';
import { hearPrinted } from '../heard.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';
import { fileOf } from './imported.ts';
import { link, MAGAZINE } from './magazine.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const WRANGLER = `${wranglerToml('test')}[[r2_buckets]]
binding = "MEDIA"
bucket_name = "test"
`;
const IMPORTED = 'edgewise.imported.json';
const CONFIG = 'edgewise.config.ts';

let project: ScratchProject;
const printed = hearPrinted(process.stdout, process.stderr);

beforeEach(() => {
  project = scratchProject();
  vi.spyOn(process, 'cwd').mockReturnValue(project.root);
  project.write('wrangler.toml', WRANGLER);
  symlinkSync(join(ROOT, 'node_modules'), join(project.root, 'node_modules'));
  return () => project.remove('.');
});

type Parts = Parameters<typeof archiveOf>[0];

async function take(parts: Parts, flags: Partial<ImportFlags> = {}): Promise<void> {
  const warnings = newWarnings();
  const survey = await surveyArchive(openArchive(fileOf(await archiveOf(parts)), undefined), warnings);
  try {
    await importSurvey(project.root, survey, { backup: false, ...flags });
  } finally {
    survey.staging.close();
  }
}

const imported = () => JSON.parse(project.read(IMPORTED));
const row = (type: string, id: number, data: object) => ({ type, id, data: { documentId: `x${id}`, ...data } });

const [ROLE, PERMISSION] = ['plugin::users-permissions.role', 'plugin::users-permissions.permission'];
/** An archive with one role more. */
const WITH_EDITOR: Parts = {
  ...MAGAZINE,
  entities: [
    ...(MAGAZINE.entities ?? []),
    row(ROLE, 20, { type: 'editor', name: 'Editor', description: 'writes' }),
    row(PERMISSION, 20, { action: 'api::article.article.update' }),
  ],
  links: [
    ...(MAGAZINE.links ?? []),
    link({ type: PERMISSION, field: 'role', ref: 20 }, { type: ROLE, field: 'permissions', ref: 20 }, 'manyToOne'),
  ],
};

const OWN = `// Settings of my own.
const origins = ['https://magazine.example'];
export default {
  cors: { origins },
  roles: { helper: ['api::tag.tag.find'] },
  users: { roleDetails: { helper: { name: 'Helper' } } },
};
`;

describe('settings of an archive, in a project with settings of its own', () => {
  itLong(
    'take effect at once and follow each archive, while edgewise.config.ts stays as it is',
    async () => {
      project.write(CONFIG, OWN);
      await take(WITH_EDITOR);
      expect(project.read(CONFIG)).toBe(OWN);
      expect(imported().roles).toMatchObject({ public: ['api::article.article.find'], editor: [expect.any(String)] });
      const { roles, cors, i18n, users } = await loadSettings(project.root);
      expect(roles).toMatchObject({
        public: ['api::article.article.find'],
        editor: ['api::article.article.update'],
        helper: ['api::tag.tag.find'],
      });
      expect(cors.origins).toEqual(['https://magazine.example']);
      expect(i18n.locales.map(({ code }) => code)).toEqual(['en', 'de']);
      expect(users.roleDetails).toMatchObject({ editor: { description: 'writes' }, helper: { name: 'Helper' } });
      expect(project.read('.edgewise/built.ts')).toContain('"editor":["api::article.article.update"]');
      expect(printed.text).toContain(`wrote ${IMPORTED}`);

      // The role is gone in the archive.
      await take(MAGAZINE, { replace: true });
      expect(Object.keys(imported().roles)).toEqual(['authenticated', 'public']);
      await take(WITH_EDITOR, { replace: true });
      expect(Object.keys((await loadSettings(project.root)).roles)).toContain('editor');
      await take(MAGAZINE, { replace: true });
      expect(Object.keys((await loadSettings(project.root)).roles).toSorted()).toEqual([
        'authenticated',
        'helper',
        'public',
      ]);

      // Without settings, what an earlier import brought stays.
      const before = imported();
      await take(WITH_EDITOR, { replace: true, exclude: ['config'] });
      expect(imported()).toEqual(before);
      expect(project.read(CONFIG)).toBe(OWN);
    },
    120_000,
  );

  it('have no effect where edgewise.config.ts sets the same key, which the report names', async () => {
    project.write(
      CONFIG,
      "export default { roles: { public: [] }, i18n: { locales: [{ code: 'de', name: 'Deutsch', isDefault: true }] } };",
    );
    await take(MAGAZINE);
    const { roles, i18n } = await loadSettings(project.root);
    expect(roles.public).toEqual([]);
    expect(i18n.locales).toMatchObject([{ code: 'de', name: 'Deutsch' }]);
    for (const key of ['roles.public', 'i18n.locales'])
      expect(printed.text).toContain(`${CONFIG} sets ${key} itself, so what the archive says of it has no effect`);
  });
});

describe('a plan of settings', () => {
  it('removes the file where an archive has no settings', async () => {
    project.write(IMPORTED, '{ "roles": { "public": [] } }');
    writeFiles(project.root, (await planSettings(project.root, {})).changes);
    expect(project.has(IMPORTED)).toBe(false);
    expect((await planSettings(project.root, {})).changes).toEqual([]);
  });

  it('is refused where the archive has wrong ones', async () => {
    const wrong = { i18n: { locales: [{ code: 5 }] } } as unknown as Parameters<typeof planSettings>[1];
    await expect(planSettings(project.root, wrong)).rejects.toThrow(
      /^The archive has \d wrong settings:\n {2}i18n\.locales\.0\.code/,
    );
  });
});
