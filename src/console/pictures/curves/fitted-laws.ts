/** The fitted laws of an answer and the survival function of the sample. */

import type { Law } from '../../../solvers/laws/index.ts';
import { listAt, numberAt, numbersAt, textAt, valueAt } from '../../api/read.ts';
import { lawOf } from '../dots/change-rates.ts';
import { chart, logAxis, Plot, palette, seriesColours } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';

const maxLaws = 4;

/** The laws of an answer, the best first: candidates of update times, or the one law of a service. */
function lawsOf(solution: unknown): { label: string; law: Law }[] {
  const candidates = listAt(solution, 'candidates');
  const lawRows = candidates.length > 0 ? candidates : [solution];
  return lawRows.slice(0, maxLaws).flatMap((candidate) => {
    const law = lawOf(valueAt(candidate, 'distribution'));
    return law === undefined ? [] : [{ label: textAt(candidate, 'distribution', 'type'), law }];
  });
}

export const fittedLaws: Pictures = ({ request, answer: { solution } }) => {
  const laws = lawsOf(solution);
  if (laws.length === 0) return [];
  const scale = numberAt(request, 'scale');
  const observations = numbersAt(request, 'gaps').concat(numbersAt(request, 'sample'));
  const sample = observations.map((value) => value / (Number.isFinite(scale) ? scale : 1));
  const timesName = listAt(solution, 'candidates').length > 0 ? 'Gaps between changes' : 'Service times';
  return [
    survivalPicture(sample, laws, `${timesName}: ${sample.length > 0 ? 'observed and fitted' : 'the fitted law'}`),
  ];
};

/** Empirical survival: the share of the sample above each of its values, thinned to a few hundred steps. */
function survivalSteps(sample: readonly number[]): { time: number; share: number }[] {
  const sorted = Float64Array.from(sample).sort();
  const stride = Math.max(1, Math.floor(sorted.length / 400));
  const steps = [{ time: 0, share: 1 }];
  for (let i = 0; i < sorted.length; i += stride) steps.push({ time: sorted[i], share: 1 - (i + 1) / sorted.length });
  return steps;
}

/** Whether the time axis is logarithmic: a heavy tail on a linear axis shows only a corner. */
function timeAxis(sample: readonly number[], laws: readonly Law[]): { log: boolean; from: number; to: number } {
  const sorted = Float64Array.from(sample).sort();
  if (sorted.length > 0) {
    const median = sorted[sorted.length >> 1];
    const to = sorted[sorted.length - 1] * 1.1;
    const log = median > 0 && to > 15 * median;
    return { log, from: log ? Math.max(sorted[0], median / 300) / 1.5 : 0, to };
  }
  const mean = Math.max(...laws.map((law) => law.mean));
  const spread = Math.max(...laws.map((law) => law.secondMoment / law.mean ** 2));
  return spread > 4 ? { log: true, from: mean / 100, to: mean * 100 } : { log: false, from: 0, to: 5 * mean };
}

/** Draws the survival functions of a sample, which may be empty, and of laws. */
function survivalPicture(
  sample: readonly number[],
  laws: readonly { label: string; law: Law }[],
  title: string,
): Picture {
  const axis = timeAxis(
    sample,
    laws.map(({ law }) => law),
  );
  const timeAt = (share: number): number =>
    axis.log ? axis.from * (axis.to / axis.from) ** share : axis.from + share * (axis.to - axis.from);
  const curves = laws.flatMap(({ label, law }, k) =>
    Array.from({ length: 201 }, (_, i) => {
      const time = timeAt(i / 200);
      return { time, share: law.survival(time), label, color: seriesColours[k % seriesColours.length] };
    }),
  );
  const steps = survivalSteps(sample).filter(({ time }) => !axis.log || time >= axis.from);
  return {
    id: 'survival',
    title,
    keys: [
      ...(sample.length > 0 ? [{ label: 'observed', color: palette.text, shape: 'line' as const }] : []),
      ...laws.map(({ label }, k) => ({
        label,
        color: seriesColours[k % seriesColours.length],
        shape: 'line' as const,
      })),
    ],
    draw: (width) =>
      chart(width, {
        x: axis.log ? logAxis([axis.from, axis.to], 'time') : { label: 'time', domain: [0, axis.to] },
        y: { label: 'share longer than this', domain: [0, 1] },
        marks: [
          Plot.line(steps, { x: 'time', y: 'share', curve: 'step-after', stroke: palette.text, strokeWidth: 1.25 }),
          Plot.line(curves, { x: 'time', y: 'share', z: 'label', stroke: 'color', strokeWidth: 1.75 }),
        ],
        color: { type: 'identity' },
      }),
  };
}
