/**
 * @module Lists the files of a Strapi project that are not taken, code and configuration, with advice for each.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { counted } from '../core/counted.ts';
import { docsPage } from '../core/docs-page.ts';
import { isTaken, projectFiles } from './strapi-files.ts';

/** Folders that are listed as one. */
const FOLDER = /^src\/(plugins\/[^/]+|admin)(?=\/)/;
/** Examples, types, settings of editors, and files of every project. */
const IGNORED = /\.example\.\w+$|\.d\.ts$|(^|\/)(tsconfig|jsconfig)[^/]*\.json$|^public\/robots\.txt$/;

/** Stands for the page, whose path depends on where the command runs. */
const EXTENDING = '{extending}';
const ACTION = `its requests are routes in src/index.ts (${EXTENDING})`;
const BEFORE = 'for routes of your own, app.use in src/index.ts; else a Worker of your own before the API';

/** Patterns of paths; the first match counts. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^src\/plugins\//, `there are no plugins; ${ACTION}`],
  [/^src\/admin\//, 'there is no admin panel: nothing to do'],
  [
    /^src\/extensions\/.*\/schema\.json$/,
    'of the types of plugins, users alone may have attributes of their own: move them to a content type',
  ],
  [/^src\/extensions\//, `there are no plugins to extend; ${ACTION}`],
  [/\/content-types\/[^/]+\/(schema|index)\.[cm]?[jt]s$/, 'write it as content-types/<name>/schema.json'],
  [/\/controllers\//, ACTION],
  [
    /\/routes\//,
    `the standard routes are there, and open to roles in edgewise.config.ts; others are routes in src/index.ts (${EXTENDING})`,
  ],
  [/\/services\//, 'a function in src/, called by the code of src/index.ts'],
  [
    /\/policies\//,
    `roles in edgewise.config.ts say who may do what; a route of your own asks c.var.caller() (${EXTENDING})`,
  ],
  [/\/middlewares\//, BEFORE],
  [
    /^src\/index\.\w+$/,
    'no code runs at the start: write content through the API, and run jobs in a Worker of your own',
  ],
  [/^database\/migrations\//, 'migrations of Strapi: an import brings the content as they left it; nothing to do'],
  [/^public\//, 'serve it from your site'],
];

const CONFIG_ADVICE: Readonly<Record<string, string>> = {
  admin: 'there is no admin panel: nothing to do',
  api: 'api.rest and api.documents in edgewise.config.ts',
  cron: 'run its jobs in a Worker of your own with a cron trigger',
  'cron-tasks': 'run its jobs in a Worker of your own with a cron trigger',
  database: 'the database is D1: nothing to do',
  features: 'nothing to do',
  middlewares: `origins of pages are cors.origins in edgewise.config.ts, sizes of bodies api.rest.limits.bodyBytes; other code: ${BEFORE}`,
  plugins:
    'users-permissions, upload, email and i18n are users, upload, email and i18n.locales in edgewise.config.ts; there are no other plugins',
  server: 'the address is server.url in edgewise.config.ts; jobs run in a Worker of your own with a cron trigger',
};

const CORE_IMPORT =
  "(?:const\\{createCore\\w+\\}=require\\('@strapi/strapi'\\)\\.factories;|const\\{factories\\}=require\\('@strapi/strapi'\\);|import\\{factories\\}from'@strapi/strapi';?)?";
const EXPORT = '(?:module\\.exports=|exportdefault)';
const CORE = new RegExp(
  `^('usestrict';)?${CORE_IMPORT}${EXPORT}(?:require\\('@strapi/strapi'\\)\\.)?(?:factories\\.)?createCore\\w+\\('[^']+'\\);?$`,
);
const EMPTY_INDEX = new RegExp(
  `^('usestrict';)?(?:import(?:type)?\\{\\w+\\}from'@strapi/strapi';)?${EXPORT}\\{((?:async)?(?:register|bootstrap|destroy)\\([^)]*\\)\\{\\},?)*\\};?$`,
);

export function isGenerated(text: string): boolean {
  const withoutComments = text.replaceAll(/\/\*[\s\S]*?\*\/|(^|[^:])\/\/.*$/gm, '$1');
  const code = withoutComments.replaceAll(/\s+/g, '').replaceAll(/["`]/g, "'");
  return code === '' || CORE.test(code) || EMPTY_INDEX.test(code);
}

const LIFECYCLES = /\/content-types\/([^/]+)\/lifecycles\.\w+$/;

/** Where the functions of a lifecycle file, or the routes of a file, go in src/index.ts. */
function placesIn(path: string, text: string): readonly string[] {
  const [, type] = LIFECYCLES.exec(path) ?? [];
  if (type !== undefined) {
    const places = [
      [/before(Create|Update)/, `beforeWrite['api::${type}.${type}']`],
      [/after(Create|Update|Delete)/, 'afterCommit'],
      [/beforeDelete|(before|after)(Find|Count)/, 'a route in place of the standard one'],
    ] as const;
    return places.filter(([pattern]) => pattern.test(text)).map(([, place]) => place);
  }
  if (!path.includes('/routes/')) return [];
  return [...text.matchAll(/\{[^{}]*\bpath\b[^{}]*/g)].flatMap(([route]) => {
    const [, method] = /\bmethod\b['"]?\s*:\s*['"`](\w+)/.exec(route) ?? [];
    const [, at] = /\bpath\b['"]?\s*:\s*['"`]([^'"`]+)/.exec(route) ?? [];
    return method && at ? [`app.${method.toLowerCase()}('/api${at}', …)`] : [];
  });
}

function adviceFor(path: string, text: string): string {
  const places = placesIn(path, text);
  if (places.length > 0) return `in src/index.ts: ${places.join(', ')} (${EXTENDING})`;
  const advice = path.startsWith('config/')
    ? CONFIG_ADVICE[basename(path).replace(/\.\w+$/, '')]
    : ADVICE.find(([pattern]) => pattern.test(path))?.[1];
  return advice ?? 'nothing here reads it: move it along with the code that does';
}

const withPage = (advice: string): string => advice.replaceAll(EXTENDING, docsPage('extending.md'));

/** @returns what is left, and the number of files that are as Strapi generates them. */
export function strapiCode(project: string) {
  const leftovers = new Map<string, string>();
  let generated = 0;
  for (const path of projectFiles(project)) {
    if (isTaken(path) || IGNORED.test(path)) continue;
    const [folder] = FOLDER.exec(path) ?? [];
    const text = path.startsWith('src/') ? readFileSync(join(project, path), 'utf8') : '';
    if (folder !== undefined) leftovers.set(`${folder}/`, '');
    else if (path.startsWith('src/') && isGenerated(text)) generated += 1;
    else leftovers.set(path, text);
  }
  return {
    leftovers: Array.from(leftovers, ([path, text]) => ({ path, advice: withPage(adviceFor(path, text)) })),
    generated,
  };
}

/** @returns what of a Strapi project is not copied: the lines. */
export function notTaken(project: string): readonly string[] {
  const { leftovers, generated } = strapiCode(project);
  const named = leftovers.map(({ path, advice }) => `  ${path}: ${advice}`);
  return [
    ...(named.length > 0 ? [`Not taken from ${project}:`, ...named] : []),
    ...(generated > 0 ? [`${counted(generated, 'file')} of code as Strapi generates them: nothing to do`] : []),
    'Documents, files and users are not part of these files: npx strapi export there, then npx edgewise import here',
  ];
}
