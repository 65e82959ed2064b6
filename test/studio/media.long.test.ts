/**
 * @module The media library.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Locator, Page } from '../clients/browser.ts';
import { accountOf, api, test, unique } from './fixture.ts';

const PICTURE = join(import.meta.dirname, '../../demo/media/clock.png');

/** Puts a picture into the library. */
async function picture(name: string, info: object = {}): Promise<{ readonly id: number; readonly url: string }> {
  const form = new FormData();
  form.append('fileInfo', JSON.stringify(info));
  form.append('files', new File([readFileSync(PICTURE)], name, { type: 'image/png' }));
  return (await api('POST', '/api/upload', form))[0];
}

const folderOf = async (name: string, more: object = {}): Promise<number> =>
  (await api('POST', '/api/upload/folders', { name, ...more })).data.id;
const folderNamed = async (name: string) =>
  (await api('GET', '/api/upload/folders')).data.find((folder: { readonly name: string }) => folder.name === name);
const filesIn = async (folder: number): Promise<readonly number[]> =>
  (await api('GET', `/api/upload/folders/${folder}/files`)).data.map(({ id }: { readonly id: number }) => id);
const fileOf = (id: number) => api('GET', `/api/upload/files/${id}`);
const tileOf = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name: new RegExp(name) });

describe('the media library', () => {
  test('takes a file, its texts and other bytes, names its uses, and deletes it', async ({ studio }) => {
    await studio.signIn();
    const page = await studio.open('#/media');
    const caption = unique('Ten past ten');
    // Other tests upload files meanwhile.
    const clocks = () => api('GET', '/api/upload/files?filters[name]=clock.png&sort=id:desc');
    const before = (await clocks()).length;
    await page.getByRole('main').locator('input[type=file]').setInputFiles(PICTURE);
    await expect.poll(async () => (await clocks()).length).toBe(before + 1);
    const [file] = await clocks();
    const [direct, inside, zone] = ['Direct', 'Inside', 'Zone'].map(unique);
    const make = (data: object) => api('POST', '/api/articles?status=draft', { data });
    await make({ title: direct, cover: file.id });
    await make({ title: inside, seo: { metaTitle: 'x', shareImage: file.id } });
    await make({ title: zone, sections: [{ __component: 'blocks.gallery', images: [file.id] }] });

    await tileOf(page, 'clock.png').first().click();
    const panel = page.getByRole('dialog');
    for (const title of [direct, inside, zone]) await panel.getByText(String(title)).waitFor();
    await panel.getByLabel(/^Caption/).fill(caption);
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await fileOf(file.id)).caption).toBe(caption);

    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByText(String(zone)).first().waitFor();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await expect.poll(async () => (await clocks()).length).toBe(before);
  });

  test('saves the texts that were changed, and none that a colleague has written meanwhile', async ({ studio }) => {
    await studio.signIn();
    const { id } = await picture(`${unique('texts')}.png`);
    const [name, outer] = ['Renamed', 'Outer'].map(unique) as [string, string];
    const [folder, parent] = [await folderOf(name), await folderOf(outer)];
    const page = await studio.open(`#/media?file=${id}`);
    const panel = page.getByRole('dialog');
    await panel.getByLabel(/^Alternative text/).fill('A clock');
    await api('POST', `/api/upload?id=${id}`, { fileInfo: { caption: 'Theirs' } });
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => fileOf(id)).toMatchObject({ alternativeText: 'A clock', caption: 'Theirs' });
    await expect.poll(() => panel.getByLabel(/^Caption/).inputValue()).toBe('Theirs');
    await studio.open(`#/media?folder=${folder}`);
    await page.getByRole('button', { name: 'Change the folder' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(`${name} again`);
    await api('PUT', `/api/upload/folders/${folder}`, { parent });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => folderNamed(`${name} again`)).toMatchObject({ parent: { id: parent } });
  });

  test('asks before a text takes the place of one that another user has written, and shows what is stored', async ({
    studio,
  }) => {
    await studio.signIn();
    const { id } = await picture(`${unique('asked')}.png`);
    const page = await studio.open(`#/media?file=${id}`);
    const panel = page.getByRole('dialog');
    const write = (info: object) => api('POST', `/api/upload?id=${id}`, { fileInfo: info });
    const save = () => panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByLabel(/^Caption/).fill('Mine');
    await write({ caption: 'Theirs' });
    await save();
    await page.getByText('It was changed meanwhile. Read it again.').first().waitFor();
    expect((await fileOf(id)).caption).toBe('Theirs');
    await save();
    await expect.poll(async () => (await fileOf(id)).caption).toBe('Mine');

    await write({ caption: 'Theirs again' });
    await panel.getByLabel(/^Alternative text/).fill('A clock');
    await save();
    await expect.poll(() => panel.getByLabel(/^Caption/).inputValue()).toBe('Theirs again');
    await panel.getByLabel(/^Alternative text/).fill('Another clock');
    await save();
    await expect.poll(() => fileOf(id)).toMatchObject({ alternativeText: 'Another clock', caption: 'Theirs again' });
  });

  test('asks before a text takes the place of one that was read while it was typed', async ({ studio }) => {
    await studio.signIn();
    const { id } = await picture(`${unique('read')}.png`);
    const page = await studio.open(`#/media?file=${id}`);
    const panel = page.getByRole('dialog').first();
    await panel.getByLabel(/^Caption/).fill('Mine');
    await panel.getByLabel(/^Alternative text/).fill('Taken back');
    await panel.getByLabel(/^Alternative text/).fill('');
    await api('POST', `/api/upload?id=${id}`, { fileInfo: { caption: 'Theirs', alternativeText: 'Theirs' } });
    // Reads the file again under what is typed.
    await panel.getByRole('button', { name: 'Make private' }).click();
    await page
      .getByRole('dialog', { name: /^Make / })
      .getByRole('button', { name: 'Make private' })
      .click();
    await panel.getByRole('button', { name: 'Make public' }).waitFor();
    const save = () => panel.getByRole('button', { name: 'Save' }).click();
    await save();
    await page.getByText('It was changed meanwhile. Read it again.').first().waitFor();
    expect((await fileOf(id)).caption).toBe('Theirs');
    await save();
    await expect.poll(async () => (await fileOf(id)).caption).toBe('Mine');
    expect((await fileOf(id)).alternativeText).toBe('Theirs');
  });

  test('leaves the name of a folder that another user has changed while its dialog is open', async ({ studio }) => {
    await studio.signIn();
    const name = unique('Folder');
    const folder = await folderOf(name);
    const page = await studio.open(`#/media?folder=${folder}`);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/upload', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('main').locator('input[type=file]').setInputFiles(PICTURE);
    await page.getByRole('button', { name: 'Change the folder' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New files in it are private').check();
    await api('PUT', `/api/upload/folders/${folder}`, { name: `${name} again` });
    // An upload that ends reads the folders again.
    const read = page.waitForResponse(/api\/upload\/folders$/);
    release();
    await read;
    await page.waitForLoadState('networkidle');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await folderNamed(`${name} again`)).toMatchObject({ private: true });
  });

  test('asks before a name takes the place of one that another user has given to the folder', async ({ studio }) => {
    await studio.signIn();
    const [mine, theirs] = [unique('Mine'), unique('Theirs')];
    const folder = await folderOf(unique('Named'));
    const page = await studio.open(`#/media?folder=${folder}`);
    await page.getByRole('button', { name: 'Change the folder' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(mine);
    await api('PUT', `/api/upload/folders/${folder}`, { name: theirs });
    const save = () => dialog.getByRole('button', { name: 'Save' }).click();
    await save();
    await page.locator('.toast', { hasText: 'It was changed meanwhile. Read it again.' }).waitFor();
    expect(await folderNamed(theirs)).toMatchObject({ id: folder });
    await save();
    await dialog.waitFor({ state: 'detached' });
    expect(await folderNamed(mine)).toMatchObject({ id: folder });
  });

  test('moves files and folders into folders, by dragging and by keyboard', async ({ studio }) => {
    const [outer, inner, name] = ['Outer', 'Inner', 'moved'].map(unique) as [string, string, string];
    const { id } = await picture(`${name}.png`);
    await studio.signIn();
    const page = await studio.open(`#/media?q=${name}`);
    for (const folder of [outer, inner]) {
      await page.getByRole('button', { name: 'New folder' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(folder);
      await page.getByLabel('In', { exact: true }).selectOption('Unsorted');
      await page.keyboard.press('Tab');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('navigation', { name: 'Place' }).getByRole('button', { name: folder }).waitFor();
    }
    const tree = page.getByRole('navigation', { name: 'Folders' });
    const parentOf = async () => (await folderNamed(inner)).parent?.name;
    await tree.getByRole('button', { name: inner }).dragTo(tree.getByRole('button', { name: outer }));
    await expect.poll(parentOf).toBe(outer);
    await tree.getByRole('button', { name: 'All files' }).click();
    await tileOf(page, name).dragTo(tree.getByRole('button', { name: inner }));
    const { id: innerId } = await folderNamed(inner);
    await expect.poll(() => filesIn(innerId)).toEqual([id]);

    await page.getByRole('checkbox', { name: `Select ${name}.png` }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Move to…' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Folder').selectOption(outer);
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).press('Enter');
    const { id: outerId } = await folderNamed(outer);
    await expect.poll(() => filesIn(outerId)).toEqual([id]);

    await tree.getByRole('button', { name: inner }).click();
    await page.getByRole('button', { name: 'Change the folder' }).click();
    await page.getByLabel('In', { exact: true }).selectOption('Unsorted');
    await page.getByRole('dialog').getByLabel('New files in it are private').check();
    await page.getByRole('dialog').getByLabel('Name').fill(`${inner}2`);
    expect(await studio.axe()).toEqual([]);
    await page.getByRole('dialog').getByLabel('Name').press('Enter');
    await tree.getByRole('button', { name: `${inner}2 Private` }).waitFor();
    expect(await folderNamed(`${inner}2`)).toMatchObject({ parent: null, private: true });
  });

  test('moves the other files if one of them was deleted meanwhile', async ({ studio }) => {
    const name = unique('pair');
    const [kept, deleted] = [await picture(`${name}-1.png`), await picture(`${name}-2.png`)];
    const folder = unique('Pairs');
    const target = await folderOf(folder);
    await studio.signIn();
    const page = await studio.open(`#/media?q=${name}&sort=name:asc`);
    for (const file of [2, 1]) await page.getByRole('checkbox', { name: `Select ${name}-${file}.png` }).check();
    await api('DELETE', `/api/upload/files/${deleted.id}`);
    await page.getByRole('button', { name: 'Move to…' }).click();
    await page.getByRole('dialog').getByLabel('Folder').selectOption(folder);
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await page.getByText('1 not moved').first().waitFor();
    await expect.poll(() => filesIn(target)).toEqual([kept.id]);
  });

  test('says how many files were not moved as the session ended', async ({ studio }) => {
    const name = unique('cut');
    const { id } = await picture(`${name}-1.png`);
    await picture(`${name}-2.png`);
    const folder = unique('Cut');
    const target = await folderOf(folder);
    await studio.signIn();
    const page = await studio.open(`#/media?q=${name}&sort=name:asc`);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/api\/upload\?id=/, async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    for (const file of [1, 2]) await page.getByRole('checkbox', { name: `Select ${name}-${file}.png` }).check();
    await page.getByRole('button', { name: 'Move to…' }).click();
    await page.getByRole('dialog').getByLabel('Folder').selectOption(folder);
    const sent = page.waitForRequest(/api\/upload\?id=/);
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await sent;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    release();
    await page.locator('.toast', { hasText: '1 not moved' }).waitFor();
    expect(await filesIn(target)).toEqual([id]);
  });

  test('takes files that are dropped on it, and keeps Studio in the tab where others are dropped', async ({
    studio,
  }) => {
    const name = unique('dropped');
    await studio.signIn();
    const page = await studio.open(`#/media?q=${name}`);
    /** Returns whether the browser would act by itself, for each event. */
    const dropOn = (target: Locator, ...names: readonly string[]) =>
      target.evaluate((element, given) => {
        const dataTransfer = new DataTransfer();
        for (const each of given) dataTransfer.items.add(new File(['Words'], each, { type: 'text/plain' }));
        return ['dragover', 'drop'].map((type) =>
          element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, composed: true, dataTransfer })),
        );
      }, names);
    await page.getByText('There are no such files').waitFor();
    expect(await page.locator('.drop-place').count()).toBe(0);
    await page.getByLabel('Search files').evaluate((element) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['Words'], 'held.txt'));
      element.dispatchEvent(new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer }));
    });
    await page.locator('.drop-place', { hasText: 'Drop files here.' }).waitFor();
    await dropOn(page.getByLabel('Search files'), `${name}-1.txt`, `${name}-2.txt`);
    await tileOf(page, `${name}-2`).waitFor();
    await tileOf(page, `${name}-1`).waitFor();
    expect(await page.locator('.drop-place').count()).toBe(0);
    for (const target of [page.getByRole('heading', { level: 1 }), page.getByRole('button', { name: 'All files' })])
      expect(await dropOn(target.first(), 'stray.txt')).toEqual([false, false]);
    await studio.open('#/content/articles/new');
    expect(await dropOn(page.getByRole('group', { name: 'Cover' }).first(), 'stray.txt')).toEqual([false, false]);
    // A text is read by its editor.
    expect(await dropOn(page.locator('[data-path=body] .cm-content'), 'text.txt')).toEqual([true, false]);
    expect(await api('GET', '/api/upload/files?filters[name]=stray.txt')).toEqual([]);
  });

  test('forgets with each folder what is selected and whether uploads are private, as the browser goes back too', async ({
    studio,
  }) => {
    await studio.signIn();
    const [first, second, name] = ['First', 'Second', 'kept'].map(unique) as [string, string, string];
    const parent = await folderOf(first, { private: true });
    await picture(`${name}.png`, { folder: await folderOf(second, { private: true, parent }) });
    const page = await studio.open(`#/media?folder=${parent}`);
    await page.getByRole('navigation', { name: 'Folders' }).getByRole('button', { name: second }).click();
    const isPrivate = page.getByLabel('Upload as private');
    await page.getByLabel(`Select ${name}.png`).check();
    await isPrivate.uncheck();
    await page.goBack();
    await page.waitForURL(new RegExp(`folder=${parent}$`));
    await expect.poll(() => isPrivate.isChecked()).toBe(true);
    expect(await page.getByText('1 file selected').count()).toBe(0);
  });

  test('forgets what is selected with its page, as the browser goes back, but not as the look changes', async ({
    studio,
  }) => {
    await studio.signIn();
    const [first, second] = [unique('first'), unique('second')];
    for (const name of [first, second]) await picture(`${name}.png`);
    const page = await studio.open(`#/media?q=${first}`);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/media?q=${second}`);
    await page.getByLabel(`Select ${second}.png`).check();
    await page.getByRole('button', { name: 'Show a list' }).click();
    await page.locator('.files.list').waitFor();
    expect(await page.getByText('1 file selected').count()).toBe(1);
    await page.goBack();
    await page.getByLabel(`Select ${first}.png`).waitFor();
    expect(await page.getByText('1 file selected').count()).toBe(0);
  });

  test('names what a folder has before it is deleted, on a phone', async ({ another }) => {
    const [name, inner, file] = ['Attic', 'Chest', 'letter'].map(unique) as [string, string, string];
    const folder = await folderOf(name);
    await picture(`${file}.png`, { folder: await folderOf(inner, { parent: folder }) });
    const studio = await another({ width: 390, dark: true });
    await studio.signIn();
    const page = await studio.open(`#/media?folder=${folder}`);
    await page.getByRole('button', { name: 'Delete the folder' }).click();
    const dialog = page.getByRole('dialog');
    for (const text of ['1 file goes with it', `${file}.png`, `Folders in it: ${inner}`])
      await dialog.getByText(text).waitFor();
    expect(await studio.axe()).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'All files' }).first().waitFor();
    await expect.poll(() => folderNamed(name)).toBeUndefined();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  test('deletes no folder whose files were changed since they were named', async ({ studio }) => {
    await studio.signIn();
    const [name, file] = ['Crate', 'deed'].map(unique) as [string, string];
    const folder = await folderOf(name);
    const page = await studio.open(`#/media?folder=${folder}`);
    const ask = async () => {
      await page.getByRole('button', { name: 'Delete the folder' }).click();
      return page.getByRole('dialog');
    };
    const dialog = await ask();
    await dialog.getByText('There are no files in it.').waitFor();
    await picture(`${file}.png`, { folder });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.locator('.toast', { hasText: 'It was changed meanwhile. Read it again.' }).waitFor();
    expect(await filesIn(folder)).toHaveLength(1);
    await (await ask()).getByText(`${file}.png`).waitFor();
    const another = await picture(`${file}-2.png`, { folder });
    const [first] = await filesIn(folder);
    await api('DELETE', `/api/upload/files/${first}`);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.locator('.toast', { hasText: 'Not deleted' }).nth(1).waitFor();
    expect(await filesIn(folder)).toEqual([another.id]);
    await (await ask()).getByText(`${file}-2.png`).waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => folderNamed(name)).toBeUndefined();
  });

  test('deletes no folder before its files are named', async ({ studio }) => {
    await studio.signIn();
    const name = unique('Slow');
    const folder = await folderOf(name);
    const page = await studio.open(`#/media?folder=${folder}`);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/api/upload/folders/${folder}/files?*fields*`, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Delete the folder' }).click();
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
    await remove.waitFor();
    expect(await remove.isDisabled()).toBe(true);
    release();
    await page.getByRole('dialog').getByText('There are no files in it.').waitFor();
    await remove.click();
    await expect.poll(() => folderNamed(name)).toBeUndefined();
  });

  test('names what another user has put into a folder since it was opened', async ({ studio }) => {
    await studio.signIn();
    const [name, inner, file] = ['Shelf', 'Box', 'note'].map(unique) as [string, string, string];
    const folder = await folderOf(name);
    const page = await studio.open(`#/media?folder=${folder}`);
    await page.getByRole('button', { name: 'Delete the folder' }).waitFor();
    await picture(`${file}.png`, { folder: await folderOf(inner, { parent: folder }) });
    await page.getByRole('button', { name: 'Delete the folder' }).click();
    for (const shown of ['1 file goes with it', `${file}.png`, `Folders in it: ${inner}`])
      await page.getByRole('dialog').getByText(shown).waitFor();
  });

  test('shows folders to who may see them, and changes them for who may', async ({ another }) => {
    const folder = unique('Shown');
    await folderOf(folder);
    await picture(unique('shown'));
    const [reader, confidant] = [await another(), await another()];
    await reader.signIn(await accountOf('reader'));
    const page = await reader.open('#/media');
    await page.getByRole('button', { name: folder }).click();
    await page.getByRole('navigation', { name: 'Place' }).waitFor();
    await page.getByRole('button', { name: 'All files' }).first().click();
    await page.locator('.file').first().waitFor();
    expect(await page.getByRole('button', { name: /(New|Change the|Delete the) folder|Upload/ }).count()).toBe(0);
    expect(await page.getByRole('main').getByRole('checkbox').count()).toBe(0);
    await confidant.signIn(await accountOf('confidant'));
    await confidant.open('#/media');
    await confidant.page.getByText('You may not see the library').waitFor();
    expect(await confidant.page.getByRole('button', { name: /folder|Upload|All files/ }).count()).toBe(0);
  });

  test('filters by size, state and use', async ({ studio }) => {
    const name = unique('filtered');
    await picture(`${name}-described.png`, { alternativeText: 'A clock' });
    await picture(`${name}-secret.png`, { private: true });
    const used = await picture(`${name}-used.png`);
    await api('POST', '/api/articles', {
      data: { title: unique('Used'), seo: { metaTitle: 'x', shareImage: used.id } },
    });
    await studio.signIn();
    const page = await studio.open(`#/media?q=${name}`);
    await expect.poll(() => page.getByRole('status').getByText('3 files', { exact: true }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const shown = async (label: string, option: string, names: readonly string[]) => {
      await page.getByLabel(label, { exact: true }).selectOption(option);
      const tiles = page.locator('.file');
      await expect
        .poll(async () => (await tiles.allTextContents()).map((text) => /-(\w+)\.png/.exec(text)?.[1]).sort())
        .toEqual(names);
      await page.getByLabel(label, { exact: true }).selectOption('');
    };
    await shown('State', 'Without alternative text', ['secret', 'used']);
    await shown('State', 'Unused', ['described', 'secret']);
    await shown('State', 'Private', ['secret']);
    await shown('Size', 'Up to 100 kB', ['described', 'secret', 'used']);
    await shown('Size', 'Over 10 MB', []);
    await shown('Kind', 'Videos', []);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('img', { name: 'No alternative text' }).count()).toBe(2);
    const { width, height } = (await page.locator('.file-picture').first().boundingBox()) ?? { width: 0, height: 1 };
    expect(width / height).toBeCloseTo(3 / 2, 1);
  });

  test('uploads on while one works elsewhere, and asks for alternative texts', async ({ studio }) => {
    const name = unique('carried');
    await studio.signIn();
    studio.allow(/ERR_FAILED/);
    const page = await studio.open('#/media');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let sent = 0;
    await page.route('**/api/upload', async (route) => {
      sent += 1;
      if (sent === 1) return route.abort();
      if (sent === 2) await held;
      await route.fallback();
    });
    const buffer = readFileSync(PICTURE);
    const added = ['one', 'two', 'three'].map((each) => ({
      name: `${name}-${each}.png`,
      mimeType: 'image/png',
      buffer,
    }));
    await page.getByRole('main').locator('input[type=file]').setInputFiles(added);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await page.getByRole('link', { name: 'Articles', exact: true }).click();
    await uploads.getByText('1 upload runs').waitFor();
    expect(await uploads.getByRole('progressbar').count()).toBe(1);
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    await (await asked).dismiss();
    release();
    await uploads.getByText('The server cannot be reached.').waitFor();
    await uploads.getByRole('button', { name: 'Try again' }).click();
    await uploads.getByText('All files are uploaded').waitFor();
    expect(await studio.axe()).toEqual([]);
    await uploads.getByLabel(`Alternative text of ${name}-one.png`).fill('A clock');
    await uploads.getByLabel(`Alternative text of ${name}-one.png`).press('Enter');
    await uploads.getByLabel(`Alternative text of ${name}-one.png`).waitFor({ state: 'detached' });
    const found = await api('GET', `/api/upload/files?_q=${name}&sort=name&fields=name,alternativeText`);
    expect(found.map(({ alternativeText }: { readonly alternativeText: string | null }) => alternativeText)).toEqual([
      'A clock',
      null,
      null,
    ]);
    await uploads.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await uploads.waitFor({ state: 'detached' });
  });

  test('moves the focal point and cuts a section, by keyboard', async ({ studio }) => {
    const name = unique('cut');
    const folder = await folderOf(unique('Cut'));
    const { id } = await picture(`${name}.png`, { alternativeText: 'A clock', folder });
    await studio.signIn();
    const page = await studio.open(`#/media?folder=${folder}&file=${id}`);
    const panel = page.getByRole('dialog', { name: `${name}.png` });
    for (const key of ['Shift+ArrowLeft', 'ArrowUp'])
      await panel.getByRole('button', { name: /Focal point/ }).press(key);
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await fileOf(id)).focalPoint).toEqual({ x: 40, y: 49 });

    const cut = async (action: string) => {
      await panel.getByRole('button', { name: 'Crop' }).click();
      const dialog = page.getByRole('dialog', { name: `Crop ${name}.png` });
      await dialog.getByText('1024 × 640').waitFor();
      await dialog.getByLabel('Ratio').selectOption('1:1');
      await dialog.getByText('800 × 800').or(dialog.getByText('640 × 640')).waitFor();
      await dialog.getByRole('group', { name: /Section/ }).press('Control+ArrowLeft');
      expect(await studio.axe()).toEqual([]);
      await dialog.getByRole('button', { name: action }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await cut('Save as a new file');
    const copies = () => api('GET', `/api/upload/files?filters[name]=${name}-crop.png`);
    await expect.poll(async () => (await copies()).length).toBe(1);
    const [copy] = await copies();
    expect([copy.width === copy.height, copy.alternativeText]).toEqual([true, 'A clock']);
    expect(await filesIn(folder)).toEqual(expect.arrayContaining([id, copy.id]));
    expect(copy.focalPoint).not.toEqual({ x: 40, y: 49 });
    await cut('Replace the picture');
    await expect.poll(async () => (await fileOf(id)).width).toBe(copy.width);
    expect(await fileOf(id)).toMatchObject({ height: copy.height, name: `${name}.png`, focalPoint: copy.focalPoint });

    const { x, y } = copy.focalPoint;
    await panel.getByRole('button', { name: `Focal point: ${x} % from the left, ${y} % from the top.` }).waitFor();
    await panel.getByLabel(/^Caption/).fill('Cut');
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await fileOf(id)).caption).toBe('Cut');
    expect((await fileOf(id)).focalPoint).toEqual(copy.focalPoint);
  });

  test('keeps a focal point that was moved, and asks before it takes the place of another one', async ({ studio }) => {
    await studio.signIn();
    const { id } = await picture(`${unique('moved')}.png`, { focalPoint: { x: 50, y: 50 } });
    const page = await studio.open(`#/media?file=${id}`);
    const panel = page.getByRole('dialog');
    const point = panel.getByRole('button', { name: /Focal point/ });
    const write = (info: object) => api('POST', `/api/upload?id=${id}`, { fileInfo: info });
    const save = () => panel.getByRole('button', { name: 'Save' }).click();
    await point.press('Shift+ArrowLeft');
    await write({ caption: 'Theirs' });
    // An upload that ends reads the file again.
    const words = { name: `${unique('reads')}.txt`, mimeType: 'text/plain', buffer: Buffer.from('words') };
    await page.locator('main input[type=file]').first().setInputFiles(words);
    await expect.poll(() => panel.getByLabel(/^Caption/).inputValue()).toBe('Theirs');
    expect(await point.getAttribute('aria-label')).toContain('40 % from the left');
    await write({ focalPoint: { x: 1, y: 2 } });
    await save();
    await page.getByText('It was changed meanwhile. Read it again.').first().waitFor();
    expect((await fileOf(id)).focalPoint).toEqual({ x: 1, y: 2 });
    await save();
    await expect.poll(async () => (await fileOf(id)).focalPoint).toEqual({ x: 40, y: 50 });
    await write({ focalPoint: { x: 3, y: 4 } });
    await panel.getByLabel(/^Caption/).fill('Mine');
    await save();
    await expect.poll(() => fileOf(id)).toMatchObject({ caption: 'Mine', focalPoint: { x: 3, y: 4 } });
    await expect.poll(() => point.getAttribute('aria-label')).toContain('3 % from the left');
    await point.press('Shift+ArrowRight');
    await panel.getByRole('button', { name: 'Make private' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Make private' }).click();
    await panel.getByRole('button', { name: 'Make public' }).waitFor();
    expect(await point.getAttribute('aria-label')).toContain('13 % from the left');
    await save();
    await expect.poll(async () => (await fileOf(id)).focalPoint).toEqual({ x: 13, y: 4 });
  });

  test('tries no bytes again where another user has uploaded others meanwhile', async ({ studio }) => {
    await studio.signIn();
    studio.allow(/ERR_FAILED/);
    const name = unique('again');
    const { id } = await picture(`${name}.png`);
    const page = await studio.open(`#/media?file=${id}`);
    const panel = page.getByRole('dialog', { name: `${name}.png`, exact: true });
    await page.route(/api\/upload\?id=/, (route) => route.abort());
    await panel.locator('input[type=file]').setInputFiles(PICTURE);
    await page
      .getByRole('dialog', { name: /^Replace the bytes/ })
      .getByRole('button', { name: 'Replace' })
      .click();
    await page.keyboard.press('Escape');
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText('The server cannot be reached.').waitFor();
    await page.unroute(/api\/upload\?id=/);
    const form = new FormData();
    const other = readFileSync(join(PICTURE, '..', 'night-ferry.png'));
    form.append('files', new File([other], `${name}.png`, { type: 'image/png' }));
    await api('POST', `/api/upload?id=${id}`, form);
    const { size } = await fileOf(id);
    await uploads.getByRole('button', { name: 'Try again' }).click();
    await uploads.getByText('It was changed meanwhile. Read it again.').waitFor();
    expect((await fileOf(id)).size).toBe(size);
  });

  test('puts no bytes in the place of those that another user has uploaded meanwhile', async ({ studio }) => {
    await studio.signIn();
    const name = unique('twice');
    const { id } = await picture(`${name}.png`);
    const page = await studio.open(`#/media?file=${id}`);
    const panel = page.getByRole('dialog', { name: `${name}.png` });
    const replaced: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') replaced.push(request.url());
    });
    const replace = (file: string) => {
      const form = new FormData();
      form.append('files', new File([readFileSync(join(PICTURE, '..', file))], `${name}.png`, { type: 'image/png' }));
      return api('POST', `/api/upload?id=${id}`, form);
    };
    const rejected = page.locator('.toast', { hasText: 'It was changed meanwhile. Read it again.' });
    /** The panel has read the file again. */
    const shown = (size: string) => panel.getByText(new RegExp(`image/png .* ${size}`)).waitFor();
    await panel.getByRole('button', { name: 'Crop' }).click();
    const crop = page.getByRole('dialog', { name: `Crop ${name}.png` });
    await crop.getByText('1024 × 640').waitFor();
    await replace('night-ferry.png');
    await crop.getByRole('button', { name: 'Replace the picture' }).click();
    await rejected.first().waitFor();
    await page.keyboard.press('Escape');
    await shown('5 kB');
    await panel.locator('input[type=file]').setInputFiles(PICTURE);
    await replace('clock.png');
    await page
      .getByRole('dialog', { name: /^Replace the bytes/ })
      .getByRole('button', { name: 'Replace' })
      .click();
    await rejected.nth(1).waitFor();
    expect(replaced).toEqual([]);
    await shown('14 kB');
    await panel.locator('input[type=file]').setInputFiles(PICTURE);
    await page
      .getByRole('dialog', { name: /^Replace the bytes/ })
      .getByRole('button', { name: 'Replace' })
      .click();
    await expect.poll(() => replaced.length).toBe(1);
  });

  test('crops no picture that is not shown, where another one has the same address', async ({ studio }) => {
    await studio.signIn();
    const name = unique('same');
    const { id, url } = await picture(`${name}.png`);
    const { page } = studio;
    // As with the setting upload.replace.
    await page.route(/api\/upload\/files\/page\?/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      for (const file of body.data) if (file.id === id) file.url = url;
      await route.fulfill({ response, json: body });
    });
    await studio.open(`#/media?file=${id}`);
    const panel = page.getByRole('dialog', { name: `${name}.png`, exact: true });
    await panel.getByRole('button', { name: 'Crop' }).click();
    const crop = page.getByRole('dialog', { name: `Crop ${name}.png` });
    await crop.getByText('1024 × 640').waitFor();
    const other = new FormData();
    const bytes = readFileSync(join(PICTURE, '..', 'night-ferry.png'));
    other.append('files', new File([bytes], `${name}.png`, { type: 'image/png' }));
    await api('POST', `/api/upload?id=${id}`, other);
    const { size } = await fileOf(id);
    // An upload that ends reads the file again.
    const words = { name: `${unique('reads')}.txt`, mimeType: 'text/plain', buffer: Buffer.from('words') };
    await page.locator('main input[type=file]').first().setInputFiles(words);
    await page.locator('.dialog', { hasText: /image\/png .* 5 kB/ }).waitFor({ state: 'attached' });
    await crop.getByRole('button', { name: 'Replace the picture' }).click();
    await page.locator('.toast', { hasText: 'It was changed meanwhile. Read it again.' }).waitFor();
    expect((await fileOf(id)).size).toBe(size);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('crops no picture whose focal point another user has moved', async ({ studio }) => {
    await studio.signIn();
    const name = unique('point');
    const { id } = await picture(`${name}.png`);
    const { size } = await fileOf(id);
    const page = await studio.open(`#/media?file=${id}`);
    const panel = page.getByRole('dialog', { name: `${name}.png`, exact: true });
    await panel.getByRole('button', { name: 'Crop' }).click();
    const crop = page.getByRole('dialog', { name: `Crop ${name}.png` });
    await crop.getByText('1024 × 640').waitFor();
    const focalPoint = { x: 10, y: 20 };
    await api('POST', `/api/upload?id=${id}`, { fileInfo: { focalPoint } });
    await crop.getByRole('button', { name: 'Replace the picture' }).click();
    await page.locator('.toast', { hasText: 'It was changed meanwhile. Read it again.' }).waitFor();
    expect(await fileOf(id)).toMatchObject({ size, focalPoint });
  });

  test('makes a file private and says what that means', async ({ studio }) => {
    const name = unique('sealed');
    const { id, url } = await picture(`${name}.png`);
    await studio.signIn();
    const page = await studio.open(`#/media?file=${id}`);
    const panel = page.getByRole('dialog', { name: `${name}.png` });
    await panel.getByRole('button', { name: 'Make private' }).click();
    const question = page.getByRole('dialog', { name: `Make ${name}.png private?` });
    await question.getByText('Only those who may see the library can open it then').waitFor();
    await question.getByRole('button', { name: 'Make private' }).click();
    await panel.getByText('Private', { exact: true }).waitFor();
    expect((await fetch(`${studio.url}${url}`)).status).toBe(404);
    await panel.getByRole('button', { name: 'Make public' }).waitFor();

    await studio.open('#/media');
    await page.getByLabel('Upload as private').check();
    await page.getByText('New files are private').waitFor();
    const file = { name: `${name}-new.png`, mimeType: 'image/png', buffer: readFileSync(PICTURE) };
    await page.getByRole('main').locator('input[type=file]').setInputFiles(file);
    const urls = async () =>
      (await api('GET', `/api/upload/files?_q=${name}-new`)).map((stored: { readonly url: string }) => stored.url);
    await expect.poll(urls).toEqual([expect.stringContaining('-private')]);
  });

  test('keeps uploads private that the page calls private, although the folder is public by now', async ({
    studio,
  }) => {
    await studio.signIn();
    const name = unique('contract');
    const folder = await folderOf(unique('Contracts'), { private: true });
    const page = await studio.open(`#/media?folder=${folder}`);
    await page.getByText('New files are private').waitFor();
    await api('PUT', `/api/upload/folders/${folder}`, { private: false });
    const file = { name: `${name}.png`, mimeType: 'image/png', buffer: readFileSync(PICTURE) };
    await page.getByRole('main').locator('input[type=file]').setInputFiles(file);
    await expect.poll(() => filesIn(folder)).toHaveLength(1);
    const [id = 0] = await filesIn(folder);
    expect((await fileOf(id)).url).toContain('-private');
  });

  test('neither deletes nor opens to everybody bytes that another user has uploaded meanwhile', async ({ studio }) => {
    await studio.signIn();
    const name = unique('plan');
    const { id } = await picture(`${name}.png`, { private: true });
    const page = await studio.open(`#/media?file=${id}`);
    const panel = page.getByRole('dialog', { name: `${name}.png`, exact: true });
    const rejects = async (action: string, failure: string) => {
      await panel.getByRole('button', { name: action }).click();
      await page.getByRole('dialog').last().getByRole('button', { name: action }).click();
      await page.locator('.toast', { hasText: `${failure}It was changed meanwhile.` }).waitFor();
    };
    const replace = async (file: string) => {
      const form = new FormData();
      form.append('files', new File([readFileSync(join(PICTURE, '..', file))], `${name}.png`, { type: 'image/png' }));
      await api('POST', `/api/upload?id=${id}`, form);
    };
    await replace('night-ferry.png');
    await rejects('Make public', 'Not saved');
    expect((await fileOf(id)).url).toContain('-private');
    await replace('clock.png');
    await rejects('Delete', 'Not deleted');
    expect((await fileOf(id)).name).toBe(`${name}.png`);
  });

  test('deletes no bytes that another user has uploaded meanwhile, of the same size', async ({ studio }) => {
    const name = `${unique('prices')}.csv`;
    const formWith = (text: string) => {
      const form = new FormData();
      form.append('files', new File([text], name, { type: 'text/csv' }));
      return form;
    };
    const [{ id }] = await api('POST', '/api/upload', formWith('1,2'));
    await studio.signIn();
    const page = await studio.open(`#/media?file=${id}`);
    await page.getByRole('dialog', { name, exact: true }).getByRole('button', { name: 'Delete' }).click();
    await api('POST', `/api/upload?id=${id}`, formWith('3,4'));
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await page.locator('.toast', { hasText: 'Not deletedIt was changed meanwhile.' }).waitFor();
    expect((await fileOf(id)).name).toBe(name);
  });

  test('says that a folder is gone, and leads to the first page from behind the last one', async ({ studio }) => {
    const name = unique('paged');
    await picture(`${name}.png`);
    await studio.signIn();
    const page = await studio.open('#/media?folder=987654');
    await page.getByText('This folder was deleted').waitFor();
    expect(await studio.axe()).toEqual([]);
    await page.getByRole('main').getByRole('button', { name: 'All files' }).last().click();
    await page
      .getByRole('status')
      .filter({ hasText: /files?/ })
      .waitFor();
    await studio.open(`#/media?q=${name}&page=5`);
    await page.getByText('There is no such page').waitFor();
    await page.getByRole('button', { name: 'The first page' }).click();
    await tileOf(page, `${name}.png`).first().waitFor();
  });

  test('asks for an alternative text in the media field of a document', async ({ studio }) => {
    const name = unique('mute');
    const { id } = await picture(`${name}.png`);
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Mute'), cover: id } });
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${data.documentId}`);
    const cover = page.getByRole('group', { name: 'Cover' });
    const box = cover.getByLabel(`Alternative text of ${name}.png`);
    await cover.getByRole('button', { name: 'Add alternative text' }).click();
    await api('POST', `/api/upload?id=${id}`, { fileInfo: { alternativeText: 'By a colleague' } });
    await box.fill('A clock');
    await box.press('Enter');
    await page.getByText('It was changed meanwhile. Read it again.').first().waitFor();
    expect((await fileOf(id)).alternativeText).toBe('By a colleague');
    await api('POST', `/api/upload?id=${id}`, { fileInfo: { alternativeText: '' } });
    await box.press('Enter');
    await expect.poll(async () => (await fileOf(id)).alternativeText).toBe('A clock');
    await box.waitFor({ state: 'detached' });
    expect(await cover.getByRole('button', { name: 'Add alternative text' }).count()).toBe(0);
  });

  test('asks for the alternative texts of pictures before their document is published', async ({ studio }) => {
    const [one, two] = [unique('one'), unique('two')];
    const images = [(await picture(`${one}.png`)).id, (await picture(`${two}.png`)).id];
    const sections = [{ __component: 'blocks.gallery', images }];
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Asked'), sections } });
    const isPublished = async () =>
      (await api('GET', `/api/articles?filters[documentId]=${data.documentId}`)).data.length === 1;
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${data.documentId}`);
    const publish = page.getByRole('main').getByRole('button', { name: 'Publish', exact: true });
    await api('POST', `/api/upload?id=${images[1]}`, { fileInfo: { alternativeText: 'By a colleague' } });
    await publish.click();
    const question = page.getByRole('dialog', { name: '1 picture has no alternative text' });
    await question.getByLabel(`${one}.png`).waitFor();
    expect(await studio.axe()).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await isPublished()).toBe(false);
    await page.keyboard.press('Control+Enter');
    await question.getByLabel(`${one}.png`).fill('A clock');
    await question.getByRole('button', { name: 'Save and publish' }).click();
    await expect.poll(isPublished).toBe(true);
    expect(await fileOf(images[0] ?? 0)).toMatchObject({ alternativeText: 'A clock' });

    await api('POST', `/api/upload?id=${images[0]}`, { fileInfo: { alternativeText: '' } });
    await page.reload();
    await page.getByLabel('Summary').fill('Once more');
    await publish.click();
    await question.getByRole('button', { name: 'Publish without' }).click();
    await page.getByText('Published', { exact: true }).first().waitFor();
    await expect
      .poll(async () => (await api('GET', `/api/articles/${data.documentId}`)).data.summary)
      .toBe('Once more');
  });

  test('asks again for the alternative texts that were not saved, and for no other', async ({ studio }) => {
    studio.allow(/status of 500/);
    const [one, two] = [unique('one'), unique('two')];
    const images = [(await picture(`${one}.png`)).id, (await picture(`${two}.png`)).id];
    const sections = [{ __component: 'blocks.gallery', images }];
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Asked'), sections } });
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${data.documentId}`);
    await page.keyboard.press('Control+Enter');
    const both = page.getByRole('dialog', { name: '2 pictures have no alternative text' });
    await both.getByLabel(`${one}.png`).fill('A clock');
    await both.getByLabel(`${two}.png`).fill('A tower');
    await page.route(`**/api/upload?id=${images[1]}`, (route) => route.fulfill({ status: 500, json: {} }), {
      times: 1,
    });
    await both.getByRole('button', { name: 'Save and publish' }).click();
    const second = page.getByRole('dialog', { name: '1 picture has no alternative text' });
    expect(await second.getByLabel(`${two}.png`).inputValue()).toBe('A tower');
    await second.getByRole('button', { name: 'Save and publish' }).click();
    await expect
      .poll(async () => (await api('GET', `/api/articles?filters[documentId]=${data.documentId}`)).data)
      .toHaveLength(1);
    expect(await fileOf(images[0] ?? 0)).toMatchObject({ alternativeText: 'A clock' });
    expect(await fileOf(images[1] ?? 0)).toMatchObject({ alternativeText: 'A tower' });
  });

  test('asks no user for an alternative text who cannot read whether there is one by now', async ({ studio }) => {
    const name = unique('unread');
    const { id } = await picture(`${name}.png`);
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Unread'), cover: id } });
    await studio.signIn(await accountOf('uploader'));
    const page = await studio.open(`#/content/articles/${data.documentId}`);
    await page.getByRole('link', { name: `${name}.png` }).waitFor();
    expect(await page.getByLabel(`Alternative text of ${name}.png`).count()).toBe(0);
  });
});
