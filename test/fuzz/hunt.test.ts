import { appendFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { it, vi } from 'vitest';
import { shareChance } from './interference/chance.ts';
import { plant } from './interference/content.ts';
import { type Failure, firstFailure, report, type Sequence } from './interference/pair.ts';
import { openSide, type Side } from './interference/side.ts';
import { described } from './interference/step.ts';
import { createWorld } from './interference/world.ts';

const kindOf = (s: Sequence, d: Failure) => {
  const last = d.steps.at(-1)!;
  if (last.kind !== 'request') return '? ' + d.reason.slice(0, 40);
  const { method, path, headers } = last.request;
  const [a, b] = d.responses;
  const msg = (t: string) => (/"message":"(.*?)"[,}]/.exec(t)?.[1] ?? '').replace(/\d+|[a-z]\w{23}/g, '#').slice(0, 60);
  const p = path
    .split('?')[0]!
    .replace(/\/(\w+?)(h?)\d+0{5,}/g, (_, n, h) => `/${n}${h}`)
    .replace(/\{.*?\}/, '{}');
  const drafts = JSON.stringify([s.secrets, d.steps]).includes('status=draft"') ? 'D' : '';
  return `${d.reason.replace(/\d+|from.*/g, '').slice(0, 40)} ${method} ${p.replace(/[0-9a-f]{24}/, 'ID')} ${Object.keys(headers ?? {})} ${[a.slice(0, 3) + msg(a), b.slice(0, 3) + msg(b)].sort().join(' / ')} ${drafts}`;
};
it('hunts', { timeout: 3_600_000 }, async () => {
  const { SECRETS } = await import('./interference/secrets.ts');
  const { SURFACES } = await import('./interference/surfaces.ts');
  const drop = (list: any, re: string | undefined) => {
    if (re) for (let i = list.length - 1; i >= 0; i--) if (new RegExp(re).test(list[i].name)) list.splice(i, 1);
  };
  drop(SECRETS, process.env.NOSECRETS);
  drop(SURFACES, process.env.NOSURFACES);
  if (process.env.ONLYSURFACES) {
    const keep = new RegExp(process.env.ONLYSURFACES);
    for (let i = SURFACES.length - 1; i >= 0; i--) if (!keep.test(SURFACES[i]!.name)) (SURFACES as any).splice(i, 1);
  }
  const { sequence } = await import('./interference/sequences.ts');
  shareChance();
  const sides: Side[] = [];
  for (let count = 0; count < 2; count += 1) {
    const world = await createWorld();
    sides.push(openSide(world, await plant(world)));
  }
  const pair = sides as [Side, Side];
  const runs = Number(process.env.RUNS ?? 1000);
  const seed = Number(process.env.SEED ?? 1);
  const skip = process.env.SKIP ? new RegExp(process.env.SKIP) : undefined;
  const found = new Map<string, { count: number; text: string }>();
  let pairs = 0;
  const by = new Map<string, number>();
  const gen = fc.sample(sequence, { numRuns: runs, seed });
  const t = performance.now();
  for (const each of gen) {
    if (skip?.test(JSON.stringify(each.secrets) + JSON.stringify(each.steps.filter((s) => s.kind === 'hidden'))))
      continue;
    const d = await firstFailure(pair, each, (step, response) => {
      pairs += 1;
      if (step.kind !== 'request') return;
      const k = `${step.request.method} ${step.request.path
        .split('?')[0]!
        .replace(/\/\w+0{5,}/, '/:id')
        .replace(/[0-9a-f]{24}/, 'ID')} ${response.slice(0, 3)}`;
      by.set(k, (by.get(k) ?? 0) + 1);
    });
    if (!d) continue;
    const kind = kindOf(each, d);
    const before = found.get(kind);
    if (before) {
      before.count += 1;
      continue;
    }
    // Shrink greedily
    let small: Sequence = { ...each, steps: d.steps };
    let last = d;
    const attempt = async (next: Sequence) => {
      const r = await firstFailure(pair, next, () => {});
      if (r && kindOf(next, r).replace(/ D$/, '') === kind.replace(/ D$/, '')) {
        small = { ...next, steps: r.steps };
        last = r;
        return true;
      }
      return false;
    };
    for (let changed = true; changed; ) {
      changed = false;
      for (let i = small.steps.length - 2; i >= 0; i--)
        if (await attempt({ ...small, steps: small.steps.filter((_, j) => j !== i) })) changed = true;
      for (const w of [0, 1] as const)
        for (let i = small.secrets[w].length - 1; i >= 0; i--) {
          const secrets = [...small.secrets] as any;
          secrets[w] = small.secrets[w].filter((_, j) => j !== i);
          if (await attempt({ ...small, secrets })) changed = true;
        }
      for (const w of [0, 1] as const)
        for (let i = 0; i < small.secrets[w].length; i++) {
          const c = small.secrets[w][i] as any;
          for (const key of Object.keys(c?.data ?? {})) {
            const { [key]: _, ...data } = (small.secrets[w][i] as any)?.data ?? {};
            if (!_) continue;
            const secrets = [...small.secrets] as any;
            secrets[w] = small.secrets[w].map((x: any, j: number) => (j === i ? { ...x, data } : x));
            if (await attempt({ ...small, secrets })) changed = true;
          }
        }
      for (let i = 0; i < small.steps.length; i++) {
        const step = small.steps[i]!;
        if (step.kind !== 'request') continue;
        const [path, query = ''] = step.request.path.split('?');
        const parts = query.split('&').filter(Boolean);
        for (let q = 0; q < parts.length; q++) {
          const rest = parts.filter((_, j) => j !== q);
          if (
            await attempt({
              ...small,
              steps: small.steps.map((x, j) =>
                j === i
                  ? { ...step, request: { ...step.request, path: rest.length ? `${path}?${rest.join('&')}` : path! } }
                  : x,
              ),
            })
          ) {
            changed = true;
            break;
          }
        }
        const json = step.request.json as any;
        for (const key of Object.keys(json?.data ?? {})) {
          const { [key]: _, ...data } = json.data;
          if (
            await attempt({
              ...small,
              steps: small.steps.map((x, j) =>
                j === i ? { ...step, request: { ...step.request, json: { data } } } : x,
              ),
            })
          ) {
            changed = true;
            break;
          }
        }
      }
    }
    found.set(kind, {
      count: 1,
      text: report(small, last)
        .split('\n')
        .map((l) => l.slice(0, 1800))
        .join('\n'),
    });
    appendFileSync(process.env.OUT ?? '/tmp/hunt.txt', `\n===== ${kind}\n${found.get(kind)!.text}\n`);
  }
  writeFileSync(
    (process.env.OUT ?? '/tmp/hunt.txt') + '.sum',
    [...found]
      .sort((a, b) => b[1].count - a[1].count)
      .map(([k, v]) => `${v.count} ${k}`)
      .join('\n') +
      `\npairs ${pairs} ms/pair ${(performance.now() - t) / pairs}\n` +
      [...by]
        .sort()
        .map(([k, n]) => `${n} ${k}`)
        .join('\n'),
  );
  vi.restoreAllMocks();
  vi.useRealTimers();
});
