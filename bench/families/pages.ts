/** Poisson pages of a family: rates, weights, ages and hosts, with the interval as the unit of time. */
import { type Draw, drawNormal } from './draws.ts';

export interface Page {
  /** Changes an interval. */
  readonly rate: number;
  readonly weight: number;
  /** Intervals since the last crawl; Infinity for never. */
  readonly age: number;
  /** Position of the host, −1 for none. */
  readonly host: number;
}

export type Ages = 'none' | 'equal' | 'exponential' | 'overdue' | 'never' | 'half never';
export type Weights = 'equal' | 'lognormal' | 'as rates';

interface PageFamily {
  readonly pages: number;
  readonly ages: Ages;
  /** Standard deviation of the logarithms of the rates. */
  readonly spread: number;
  readonly weights: Weights;
  /** Number of hosts; 0 for pages without hosts. */
  readonly hosts: number;
}

export function drawPages({ pages, ages, spread, weights, hosts }: PageFamily, draw: Draw): Page[] {
  return Array.from({ length: pages }, () => {
    const rate = Math.exp(spread * drawNormal(draw));
    const weight = weights === 'equal' ? 1 : weights === 'as rates' ? rate : Math.exp(drawNormal(draw));
    const host = hosts === 0 ? -1 : Math.floor(draw() * hosts);
    return { rate, weight, age: ageOf(ages, draw), host };
  });
}

function ageOf(ages: Ages, draw: Draw): number {
  switch (ages) {
    case 'none':
      return 0;
    case 'equal':
      return 1;
    case 'exponential':
      return -Math.log(1 - draw());
    case 'overdue':
      return 10;
    case 'never':
      return Number.POSITIVE_INFINITY;
    case 'half never':
      return draw() < 0.5 ? Number.POSITIVE_INFINITY : -Math.log(1 - draw());
  }
}
