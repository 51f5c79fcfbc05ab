/** The certificate's own shortcuts against the gains they shorten, and against allocations that are not optimal. */
import { describe, expect, it } from 'vitest';
import { crawlAllocationRequest } from '../../../src/schemas/crawl-allocation.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { evaluate } from '../../../src/solvers/crawl-allocation/certificate.ts';
import { gainOfNext, meanCost } from '../../../src/solvers/crawl-allocation/gains/page-gain.ts';
import { scalePages } from '../../../src/solvers/crawl-allocation/pages.ts';

const alphas = [1 + 1e-9, 1.001, 1.3, 1.999999999, 2, 2.5, 3, 3.01, 8, 100, 1e6];
const lengths = [1e-14, 1e-5, 0.3, 0.49, 0.5, 0.51, 1, 3, 20, 800, 3000, 1e6];
const starts = [null, 0, 0.02, 0.3, 2];

describe('the certificate', () => {
  it('reports the gains and the staleness that page-gain.ts computes one by one', () => {
    for (const alpha of [0, ...alphas]) {
      for (const length of lengths) {
        for (const age of starts) {
          const scale = alpha === 0 ? null : (alpha - 1) / length;
          const pages = {
            process: [alpha === 0 ? 'poisson' : 'lomax'],
            changeRate: [alpha === 0 ? length : null],
            shape: [alpha],
            scale: [scale],
            lastCrawlAge: [age],
          };
          const { problem } = crawlAllocationRequest.parse({ interval: 1, crawls: 500, pages });
          const scaled = scalePages(problem, false, unlimitedBudget());
          for (const x of [0, 1, 2, 3, 4, 7, 50, 500]) {
            const found = evaluate(scaled, problem.weight, null, Int32Array.of(x), unlimitedBudget());
            const place = `shape ${alpha}, length ${length}, age ${age}, ${x} crawls`;
            const close = (value: number, wanted: number, what: string): void =>
              expect(Math.abs(value - wanted) / wanted, `${what}, ${place}: ${value}, not ${wanted}`).toBeLessThan(
                2e-14,
              );
            close(found.certificate.maxNextGain, gainOfNext(scaled, 0, x), 'next gain');
            if (x > 0) close(found.certificate.minLastGain, gainOfNext(scaled, 0, x - 1), 'last gain');
            close(found.cost[0], meanCost(scaled, 0, x), 'staleness');
          }
        }
      }
    }
  });
});
