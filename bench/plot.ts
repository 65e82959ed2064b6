/**
 * @module Figures → a plot of CPU over size, one line a row: solid for the product, dashed for the hand-written Worker.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './report.ts';

/** Rows that tell most, and their colours. */
const LINES: Readonly<Record<string, string>> = {
  one: '#4c6ef5',
  populate: '#12b886',
  'populate-again': '#82c91e',
  sort: '#fab005',
  search: '#fa5252',
  'search-index': '#be4bdb',
  update: '#868e96',
};

const PATH = join(import.meta.dirname, '..', 'docs', 'performance.svg');
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [880, 440, 60, 260, 20, 50];

interface Scale {
  readonly from: number;
  readonly to: number;
}

/** Whole powers of ten around values. */
const scaleOf = (values: readonly number[]): Scale => ({
  from: Math.floor(Math.log10(Math.min(...values))),
  to: Math.max(Math.ceil(Math.log10(Math.max(...values))), Math.floor(Math.log10(Math.min(...values))) + 1),
});

const powers = ({ from, to }: Scale): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));

const share = (value: number, { from, to }: Scale): number => (Math.log10(value) - from) / (to - from);

interface Axes {
  x(size: number): number;
  y(cpu: number): number;
}

const text = (x: number, y: number, anchor: string, label: string, fill = '#495057'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${fill}">${label}</text>`;

const line = (points: readonly (readonly [number, number])[], stroke: string, rest = ''): string =>
  `<polyline fill="none" stroke="${stroke}" ${rest} points="${points.map((point) => point.map((at) => at.toFixed(1)).join()).join(' ')}"/>`;

function frame(sizes: Scale, costs: Scale, { x, y }: Axes): readonly string[] {
  const vertical = powers(sizes).map((size) => [
    line(
      [
        [x(size), TOP],
        [x(size), HEIGHT - BOTTOM],
      ],
      '#dee2e6',
    ),
    text(x(size), HEIGHT - BOTTOM + 18, 'middle', size.toLocaleString('en')),
  ]);
  const horizontal = powers(costs).map((cpu) => [
    line(
      [
        [LEFT, y(cpu)],
        [WIDTH - RIGHT, y(cpu)],
      ],
      '#dee2e6',
    ),
    text(LEFT - 8, y(cpu) + 4, 'end', `${cpu} ms`),
  ]);
  const label = text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, 'middle', 'documents; CPU of the runtime per request');
  return [...vertical.flat(), ...horizontal.flat(), label];
}

function rowLines(name: string, place: number, figures: readonly Figure[], { x, y }: Axes): readonly string[] {
  const own = figures.filter(({ row }) => row === name);
  const colour = LINES[name] ?? '#000';
  const points = (side: 'product' | 'handwritten') =>
    own.flatMap((figure) => {
      const { cpu } = figure[side];
      return cpu === undefined ? [] : [[x(figure.size), y(cpu)] as const];
    });
  const title = own[0]?.title ?? name;
  return [
    line(points('product'), colour, 'stroke-width="2.5"'),
    line(points('handwritten'), colour, 'stroke-width="1.5" stroke-dasharray="4 4"'),
    text(WIDTH - RIGHT + 16, TOP + 16 + place * 22, 'start', title, colour),
  ];
}

/** @returns the path of the file. */
export function writePlot(figures: readonly Figure[]): string {
  const shown = figures.filter(({ row, product }) => row in LINES && product.cpu !== undefined);
  const cpus = shown.flatMap(({ product, handwritten }) => [product.cpu ?? 1, handwritten.cpu ?? 1]);
  const [sizes, costs] = [scaleOf(shown.map(({ size }) => size)), scaleOf(cpus)];
  const axes: Axes = {
    x: (size) => LEFT + share(size, sizes) * (WIDTH - LEFT - RIGHT),
    y: (cpu) => HEIGHT - BOTTOM - share(cpu, costs) * (HEIGHT - TOP - BOTTOM),
  };
  const names = Object.keys(LINES).filter((name) => shown.some(({ row }) => row === name));
  const key = text(WIDTH - RIGHT + 16, TOP + 30 + names.length * 22, 'start', 'dashed: hand-written Worker');
  const parts = [
    ...frame(sizes, costs, axes),
    ...names.flatMap((name, place) => rowLines(name, place, shown, axes)),
    key,
  ];
  writeFileSync(
    PATH,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">\n<rect width="100%" height="100%" fill="#fff"/>\n${parts.join('\n')}\n</svg>\n`,
  );
  return PATH;
}
