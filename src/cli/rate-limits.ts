/**
 * @module Do the settings and wrangler.toml agree about who counts requests?
 */
import { RATE_LIMITERS, type Settings } from '../config.ts';

interface Binding {
  readonly name: string;
  readonly simple: { readonly limit: number; readonly period: number };
}

function remark(section: keyof typeof RATE_LIMITERS, settings: Settings, bindings: readonly Binding[]): string[] {
  const { enabled, period } = settings.rateLimit[section];
  const name = RATE_LIMITERS[section];
  if (!enabled) return [];
  const binding = bindings.find((entry) => entry.name === name);
  if (!binding) return [`wrangler.toml: no [[ratelimits]] is named ${name}, so rateLimit.${section} limits nothing`];
  if (binding.simple.period === period) return [];
  return [
    `rateLimit.${section}.period is ${period}, but the period of ${name} in wrangler.toml ${binding.simple.period}`,
  ];
}

/** What whoever deploys ought to know; a deployment works all the same. */
export const rateLimitRemarks = (settings: Settings, bindings: readonly Binding[]): readonly string[] =>
  (['auth', 'content'] as const).flatMap((section) => remark(section, settings, bindings));
