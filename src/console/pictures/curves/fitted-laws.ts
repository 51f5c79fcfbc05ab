/** The laws that an answer fitted: what they say beside the sample, and when in a period the updates come. */

import { figure } from '../../../words/numbers.ts';
import { at, list, number, numbers, text } from '../../api/read.ts';
import { chart, ink, Plot, wholeTick } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';
import { lawOf, survivalPicture } from './survival.ts';

const phaseBins = 24;

/** When in the period the updates came: a histogram of their phases, and the phase the answer proposes. */
function phasePicture(gaps: readonly number[], periodicity: unknown): Picture[] {
  const period = number(periodicity, 'period');
  if (at(periodicity, 'proposed') !== true || !(period > 0)) return [];
  let time = 0;
  const bins = new Array<number>(phaseBins).fill(0);
  for (const gap of [0, ...gaps]) {
    time += gap;
    bins[Math.min(phaseBins - 1, Math.floor(((time % period) / period) * phaseBins))]++;
  }
  const width = period / phaseBins;
  return [
    {
      id: 'phases',
      title: 'When in the period the updates come',
      note: `Period ${figure(period)}, strength ${figure(number(periodicity, 'strength'), 3)}, p ${figure(number(periodicity, 'pValue'), 2)}; counted from the first update.`,
      draw: (size) =>
        chart(size, {
          x: { label: 'time since the start of the period', domain: [0, period] },
          y: { label: 'updates', tickFormat: wholeTick },
          marks: [
            Plot.rectY(bins, {
              x1: (_, bin: number) => bin * width,
              x2: (_, bin: number) => (bin + 1) * width,
              y: (count: number) => count,
              fill: ink.blue,
              inset: 0.5,
            }),
            Plot.ruleX([number(periodicity, 'phase')], { stroke: ink.orange, strokeWidth: 2, strokeDasharray: '4 3' }),
            Plot.ruleY([0], { stroke: ink.muted }),
          ],
        }),
    },
  ];
}

const mostLaws = 4;

/** The laws of an answer, the best first: candidates of update times, or the one law of a service. */
function lawsOf(solution: unknown): { label: string; law: NonNullable<ReturnType<typeof lawOf>> }[] {
  const candidates = list(solution, 'candidates');
  const fitted = candidates.length > 0 ? candidates : [solution];
  return fitted.slice(0, mostLaws).flatMap((candidate) => {
    const law = lawOf(at(candidate, 'distribution'));
    return law === null ? [] : [{ label: text(candidate, 'distribution', 'type'), law }];
  });
}

export const fittedLaws: Pictures = ({ request, answer: { solution } }) => {
  const laws = lawsOf(solution);
  if (laws.length === 0) return [];
  const scale = number(request, 'scale');
  const given = numbers(request, 'gaps').concat(numbers(request, 'sample'));
  const sample = given.map((value) => value / (Number.isFinite(scale) ? scale : 1));
  const what = list(solution, 'candidates').length > 0 ? 'Gaps between changes' : 'Service times';
  return [
    survivalPicture(sample, laws, `${what}: ${sample.length > 0 ? 'observed and fitted' : 'the fitted law'}`),
    ...phasePicture(numbers(request, 'gaps'), at(solution, 'periodicity')),
  ];
};
