/**
 * @module Fills `.edgewise/assets/`, which Cloudflare serves in front of the Worker: Studio and its headers.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../src/schema/settings/config.ts';
import { previewedTypes } from '../../src/schema/settings/derived.ts';
import { PACKAGE } from '../core/package.ts';
import { UserError } from '../core/terminal.ts';
import { type FileBytes, fillFolder, pathsBelow } from './fill-folder.ts';

/** As in `[assets]` of wrangler.toml. */
export const ASSETS = '.edgewise/assets';

const BUNDLE = join(PACKAGE, 'dist/studio');

/** Returns the origins of the pages that Studio shows. */
function framedOrigins(settings: Settings): readonly string[] {
  const urls = previewedTypes(settings).flatMap(([, { url }]) => url ?? []);
  const origins = urls.map((url) => new URL(url.replaceAll(/\{\w+\}/g, 'x')).origin);
  return [...new Set([...origins, ...(settings.preview?.origins ?? [])])];
}

/** https://developers.cloudflare.com/workers/static-assets/headers/ */
function headersText(settings: Settings): string {
  const { upload } = settings;
  const frames = framedOrigins(settings);
  const media = ["'self'", 'data:', 'blob:', ...(upload.publicUrl ? [new URL(upload.publicUrl).origin] : [])].join(' ');
  const policy = [
    "default-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    "style-src 'self'",
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    ...['object-src', 'base-uri', 'form-action', 'frame-ancestors'].map((name) => `${name} 'none'`),
  ];
  return `/studio/*
  Content-Security-Policy: ${policy.join('; ')}
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
  Cache-Control: no-cache
/studio/assets/*
  ! Cache-Control
  Cache-Control: public, max-age=31536000, immutable
`;
}

/** The page is the last file, since it names the others. */
function studioFiles(settings: Settings, isDev: boolean): readonly FileBytes[] {
  if (!existsSync(join(BUNDLE, 'index.html'))) throw new UserError(`${BUNDLE} is missing: install the package again`);
  const assets = pathsBelow(BUNDLE).filter((path) => path.startsWith('assets/'));
  const mode = settings.studio === 'read-only' ? 'read-only' : 'full';
  const relations = settings.api.documents.strictRelations ? 'strict' : 'lenient';
  const page = readFileSync(join(BUNDLE, 'index.html'), 'utf8')
    .replace('"studio-mode" content="full"', `"studio-mode" content="${mode}"`)
    .replace('"studio-relations" content="strict"', `"studio-relations" content="${relations}"`)
    .replace('"studio-sign-in" content="account"', `"studio-sign-in" content="${isDev ? 'token' : 'account'}"`)
    .replace('"studio-frames" content=""', `"studio-frames" content="${framedOrigins(settings).join(' ')}"`)
    .replace(
      '"studio-providers" content=""',
      `"studio-providers" content="${Object.keys(settings.users.providers).join(' ')}"`,
    )
    // Access is before a deployed page alone.
    .replace('"studio-access" content=""', `"studio-access" content="${settings.access && !isDev ? 'access' : ''}"`);
  return [
    ...assets.map((path) => [`studio/${path}`, readFileSync(join(BUNDLE, path))] as const),
    ['studio/index.html', Buffer.from(page)],
  ];
}

/**
 * Leaves an empty folder with `studio: false`.
 * @param dev the folder of `npm run dev`, whose sign-in screen opens on the token that it prints
 * @throws UserError for code of Studio that cannot be bundled
 */
export async function writeAssets(root: string, settings: Settings, dev?: string): Promise<void> {
  const folder = join(root, dev ?? ASSETS);
  if (settings.studio === false) return fillFolder(folder, []);
  if (existsSync(join(PACKAGE, 'studio/main.ts'))) await (await import('./bundle-studio.ts')).bundleStudio(PACKAGE);
  const files = studioFiles(settings, dev !== undefined);
  fillFolder(folder, [['_headers', Buffer.from(headersText(settings))], ...files]);
}
