/**
 * @module What `edgewise new` and `npm create edgewise` ask: what no option has said, each thing once.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { askNew, type NewFlags } from '../../../cli/new/questions.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const FOLDER = 'Folder of the new project? ';
const SOURCE = 'Content types of a Strapi project, or of an archive of `strapi export`? Its path, or Enter for none: ';
const STARTER = 'A finished site to begin with (magazine, docs)? Its name, or Enter for none: ';
const GIT = 'A git repository? (Y/n) ';
const INSTALL = 'Install the packages with npm? (Y/n) ';

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  project.write('archive.tar', '');
  return () => project.remove('.');
});

/** Answers one question after the other. */
async function asked(folder: string | undefined, flags: NewFlags, ...answers: readonly string[]) {
  const questions: string[] = [];
  const result = await askNew(folder, flags, async (question) => answers[questions.push(question) - 1] ?? '');
  return { questions, result };
}

describe('a new project', () => {
  it('is asked for on a terminal, with Enter for what most want', async () => {
    const { questions, result } = await asked(undefined, {}, 'site');
    expect(questions).toEqual([FOLDER, SOURCE, STARTER, GIT, INSTALL]);
    expect(result).toEqual({ folder: 'site', git: true, install: true });
  });

  it('is as it was answered', async () => {
    const { result } = await asked('site', {}, project.root, 'n', 'No');
    expect(result).toEqual({ folder: 'site', from: project.root, git: false, install: false });
  });

  it('has the content types of an archive, once its path is right', async () => {
    const archive = `${project.root}/archive.tar`;
    const { questions, result } = await asked('site', { git: true, install: true }, 'nowhere', archive);
    expect(questions[1]).toBe('There is no nowhere. The path of a Strapi project or an archive, or Enter for none: ');
    expect(result).toEqual({ folder: 'site', archive, git: true, install: true });
  });

  it('has a site, once there is one of that name', async () => {
    const { questions, result } = await asked('site', { git: true, install: true }, '', 'shop', 'docs');
    expect(questions[2]).toBe('There is no starter "shop". One of magazine, docs, or Enter for none: ');
    expect(result).toEqual({ folder: 'site', starter: 'docs', git: true, install: true });
  });

  it.each<[NewFlags, readonly string[]]>([
    [{ from: 'a' }, [GIT, INSTALL]],
    [{ fromClone: 'a' }, [GIT, INSTALL]],
    [{ archive: 'a' }, [GIT, INSTALL]],
    [{ starter: 'magazine' }, [GIT, INSTALL]],
    [{ git: false }, [SOURCE, STARTER, INSTALL]],
    [{ install: false }, [SOURCE, STARTER, GIT]],
    [{ from: 'a', git: true, install: false }, []],
    [{ yes: true }, []],
  ])('is not asked again for %j', async (flags, questions) => {
    const { questions: heard, result } = await asked('site', flags);
    expect(heard).toEqual(questions);
    expect(result).toMatchObject({ folder: 'site', git: flags.git ?? true, install: flags.install ?? true });
  });

  it('has a repository and its packages where there is no terminal', async () => {
    expect(await askNew('site', {}, undefined)).toEqual({ folder: 'site', git: true, install: true });
  });

  it('needs a folder where nobody can be asked', async () => {
    await expect(askNew(undefined, {}, undefined)).rejects.toThrow("Missing required argument 'folder'");
    await expect(asked(undefined, { yes: true }, 'site')).rejects.toThrow("Missing required argument 'folder'");
  });
});
