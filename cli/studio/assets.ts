/**
 * @module Fills `.edgewise/assets/`, which Cloudflare serves in front of the Worker: Studio and its headers.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../src/settings/config.ts';

import { PACKAGE } from '../core/package.ts';
import { UserError } from '../core/terminal.ts';
import { type FileBytes, fillFolder, pathsBelow } from './fill-folder.ts';

/** As in `[assets]` of wrangler.toml. */
export const ASSETS = '.edgewise/assets';

const BUNDLE = join(PACKAGE, 'dist/studio');

/** https://developers.cloudflare.com/workers/static-assets/headers/ */
function headersText({ upload }: Settings): string {
  const media = ["'self'", 'data:', 'blob:', ...(upload.publicUrl ? [new URL(upload.publicUrl).origin] : [])].join(' ');
  const policy = [
    "default-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    "style-src 'self'",
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
function studioFiles({ studio }: Settings): readonly FileBytes[] {
  if (!existsSync(join(BUNDLE, 'index.html'))) throw new UserError(`${BUNDLE} is missing: install the package again`);
  const assets = pathsBelow(BUNDLE).filter((path) => path.startsWith('assets/'));
  const page = readFileSync(join(BUNDLE, 'index.html'), 'utf8');
  const mode =
    studio === 'read-only' ? page.replace('"studio-mode" content="full"', '"studio-mode" content="read-only"') : page;
  return [
    ...assets.map((path) => [`studio/${path}`, readFileSync(join(BUNDLE, path))] as const),
    ['studio/index.html', Buffer.from(mode)],
  ];
}

/** Leaves an empty folder with `studio: false`. @throws UserError for code of Studio that cannot be bundled. */
export async function writeAssets(root: string, settings: Settings): Promise<void> {
  if (settings.studio === false) return fillFolder(join(root, ASSETS), []);
  if (existsSync(join(PACKAGE, 'studio/main.tsx'))) await (await import('./bundle-studio.ts')).bundleStudio(PACKAGE);
  fillFolder(join(root, ASSETS), [['_headers', Buffer.from(headersText(settings))], ...studioFiles(settings)]);
}
