/** The laws that an answer fitted: what they say beside the sample. */

import { at, list, number, numbers, text } from '../../api/read.ts';
import type { Pictures } from '../frame/picture.ts';
import { lawOf, survivalPicture } from './survival.ts';

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
  return [survivalPicture(sample, laws, `${what}: ${sample.length > 0 ? 'observed and fitted' : 'the fitted law'}`)];
};
