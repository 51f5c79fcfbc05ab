/** The target of a plan from a log, and the curve of measure by number of fetches in words. */
import { duration, durationAhead, figure, share } from '../schemas/words/numbers.ts';

/** One of these, instead of a number of fetches; times in seconds. */
export interface LogTarget {
  readonly freshness?: number | undefined;
  readonly meanDelay?: number | undefined;
}

/** The target and its objective as fields of crawl-plan. */
export function targetFields({ freshness, meanDelay }: LogTarget): object {
  if (freshness !== undefined) return { target: { freshness } };
  return { target: { meanDelay }, objective: 'delay' };
}

/** The fields used of a point of the curve. */
export interface LogCurvePoint extends LogTarget {
  readonly crawls: number;
  readonly price: number | null;
}

/** Points of a curve printed at most. */
const maxCurveLines = 5;

/** Up to five lines of a curve: the measure at a number of fetches, and the gain of one more. */
export function curveLines(curve: readonly LogCurvePoint[], interval: number): string[] {
  const last = curve.length - 1;
  const points = curve.filter(
    (_, k) => curve.length <= maxCurveLines || k % Math.ceil(last / (maxCurveLines - 1)) === 0 || k === last,
  );
  return points.map(({ crawls, price, ...measure }) => {
    const fetches = `${figure(Math.ceil(crawls), 3)} fetches ${durationAhead(interval)}`;
    return `${fetches}: ${measureInWords(measure)}; one more ${marginInWords(measure, price ?? 0)}`;
  });
}

function measureInWords({ freshness, meanDelay }: LogTarget): string {
  if (freshness !== undefined) return `copies are current ${share(freshness, 3)} of the time`;
  return `a change waits ${duration(meanDelay ?? Number.NaN)} in the mean`;
}

const marginInWords = ({ freshness }: LogTarget, price: number): string =>
  freshness !== undefined ? `adds ${share(price)}` : `takes ${duration(price)} off`;
