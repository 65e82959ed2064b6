/**
 * @module User-Agent → a name of the device for lists of sessions, such as "Firefox on Linux".
 */
type Marks = readonly (readonly [mark: string, name: string])[];

/** The more specific mark comes first: most browsers also claim to be another. */
const BROWSERS: Marks = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Vivaldi/', 'Vivaldi'],
  ['YaBrowser/', 'Yandex Browser'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
];

const SYSTEMS: Marks = [
  ['Windows NT', 'Windows'],
  ['iPhone', 'iOS'],
  ['iPad', 'iOS'],
  ['Android', 'Android'],
  ['Macintosh', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

const nameOf = (marks: Marks, userAgent: string): string | undefined =>
  marks.find(([mark]) => userAgent.includes(mark))?.[1];

/** null for an unknown device. */
export function deviceNameOf(userAgent: string): string | null {
  const names = [nameOf(BROWSERS, userAgent), nameOf(SYSTEMS, userAgent)];
  return names.filter((name) => name !== undefined).join(' on ') || null;
}
