/**
 * @module The name of a device in a list of sessions, from the header `User-Agent`.
 */
import { expect, it } from 'vitest';
import { deviceNameOf } from '../../../src/features/users/device-name.ts';

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)';
const CHROME_OS = 'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)';
const IPAD = 'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X)';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME = `${WEBKIT} Chrome/138.0.0.0 Safari/537.36`;

it.each([
  [`${WINDOWS} ${CHROME} Edg/138.0.0.0`, 'Edge on Windows'],
  [`${MAC} ${CHROME} OPR/121.0.0.0`, 'Opera on macOS'],
  [`${ANDROID} ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`, 'Samsung Internet on Android'],
  [`${LINUX} ${CHROME} Vivaldi/7.5`, 'Vivaldi on Linux'],
  [`${WINDOWS} ${WEBKIT} Chrome/136.0.0.0 YaBrowser/25.6.0.0 Safari/537.36`, 'Yandex Browser on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`${IPHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iOS'],
  [`${CHROME_OS} ${CHROME}`, 'Chrome on ChromeOS'],
  [`${IPAD} AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0 Mobile/15E148 Safari/604.1`, 'Chrome on iOS'],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`, 'Safari on macOS'],
  ['Firefox/140.0', 'Firefox'],
  ['okhttp/4.12.0 (Android 15)', 'Android'],
  ['curl/8.14.1', null],
  ['', null],
])('%j is %j', (userAgent, name) => {
  expect(deviceNameOf(userAgent)).toBe(name);
});
