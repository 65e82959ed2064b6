/**
 * @module Three ways to act on a page: by mouse, by touch, and by keyboard alone. Texts are typed in all of them.
 */
import type { Locator, Page } from '../clients/browser.ts';

export interface Hands {
  /** Presses a button, a link, a tab, a switch, an entry of a menu or an option. */
  press(target: Locator): Promise<void>;
  /** Types into a field. */
  type(target: Locator, text: string): Promise<void>;
  /** Chooses in a `<select>`. */
  choose(target: Locator, option: string): Promise<void>;
  /** Moves an entry of a list by its handle, to the place of the entry above. */
  moveUp(handle: Locator, above: Locator): Promise<void>;
}

/** Milliseconds until an entry lies in its place. */
const DROPPED = 300;

const centerOf = async (target: Locator) => {
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
};

/** A menu of the browser itself, as that of a `<select>`, is not in the page: the choice in it is set. */
const choose = async (target: Locator, option: string): Promise<void> => {
  await target.selectOption({ label: option });
};

export const byMouse = (page: Page): Hands => ({
  press: (target) => target.click(),
  async type(target, text) {
    await target.click();
    await page.keyboard.type(text);
  },
  choose,
  async moveUp(handle, above) {
    await handle.scrollIntoViewIfNeeded();
    const [from, to] = [await centerOf(handle), await centerOf(above)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y - 4, { steps: 12 });
    await page.mouse.up();
    await page.waitForTimeout(DROPPED);
  },
});

export const byTouch = (page: Page): Hands => ({
  press: (target) => target.tap(),
  async type(target, text) {
    await target.tap();
    await page.keyboard.type(text);
  },
  choose,
  async moveUp(handle, above) {
    await handle.scrollIntoViewIfNeeded();
    const [from, to] = [await centerOf(handle), await centerOf(above)];
    const client = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: from.x, y }] });
    await touch('touchStart', from.y);
    for (let step = 1; step <= 12; step += 1) await touch('touchMove', from.y + ((to.y - 4 - from.y) * step) / 12);
    await touch('touchEnd', to.y);
    await page.waitForTimeout(DROPPED);
  },
});

/** Runs in the page: where an element is from the focus. Shadow roots count as their hosts. */
function fromFocus(element: Element): 'here' | 'before' | 'after' {
  const { host } = element.getRootNode() as ShadowRoot;
  const focused = document.activeElement ?? document.body;
  const target = host ?? element;
  if (focused === target) return 'here';
  const isBefore = focused.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING;
  return isBefore && focused !== document.body ? 'before' : 'after';
}

/** More than the elements of a screen that take the focus. */
const MOST_STEPS = 300;

export function byKeyboard(page: Page): Hands {
  const { keyboard } = page;
  /** Presses a key until something holds. */
  const until = async (key: string, target: Locator, isReached: () => Promise<boolean>) => {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (await isReached()) return;
      await keyboard.press(key);
    }
    throw new Error(`No ${key} leads to ${target}.`);
  };
  const reach = async (target: Locator) => {
    await target.waitFor();
    const directions: string[] = [];
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const place = await target.evaluate(fromFocus);
      if (place === 'here') return;
      if (directions.at(-1) !== place) directions.push(place);
      if (directions.length > 3) break;
      await keyboard.press(place === 'before' ? 'Shift+Tab' : 'Tab');
    }
    throw new Error(`No Tab leads to ${target}.`);
  };
  return {
    async press(target) {
      await target.waitFor();
      const role = await target.evaluate((element) => element.getAttribute('role') ?? element.getAttribute('type'));
      const isFocused = () => target.evaluate((element) => element === document.activeElement);
      if (role === 'option') {
        await until('ArrowDown', target, async () => (await target.getAttribute('data-highlighted')) !== null);
      } else if (role === 'menuitem') await until('ArrowDown', target, isFocused);
      else if (role === 'tab') {
        await reach(page.getByRole('tablist').filter({ has: target }).locator('[aria-selected=true]'));
        await until('ArrowRight', target, isFocused);
      } else await reach(target);
      await keyboard.press(role === 'switch' || role === 'checkbox' || role === 'radio' ? 'Space' : 'Enter');
    },
    async type(target, text) {
      await reach(target);
      await keyboard.type(text);
    },
    async choose(target, option) {
      await reach(target);
      await keyboard.type(option);
    },
    async moveUp(handle) {
      await reach(handle);
      for (const key of ['Space', 'ArrowUp', 'Space']) {
        await keyboard.press(key);
        await page.waitForTimeout(DROPPED);
      }
    },
  };
}
