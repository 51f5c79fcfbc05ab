/** What a plan from a log is to keep, and what fetches buy, in words. */
import { duration, durationAhead, figure, share } from '../schemas/words/numbers.ts';

/** One of these, in place of a number of fetches; times in seconds. */
export interface LogTarget {
  readonly freshness?: number | undefined;
  readonly meanDelay?: number | undefined;
}

/** The target and its objective, as crawl-plan takes them. */
export function targetFields({ freshness, meanDelay }: LogTarget): object {
  if (freshness !== undefined) return { target: { freshness } };
  return { target: { meanDelay }, objective: 'delay' };
}

/** What is read of a point of the curve. */
export interface LogCurvePoint extends LogTarget {
  readonly crawls: number;
  readonly price: number | null;
}

/** So many points of a curve are said. */
const maxCurveLines = 5;

/** Five lines of a curve: what so many fetches buy, and what one more would add. */
export function curveLines(curve: readonly LogCurvePoint[], interval: number): string[] {
  const last = curve.length - 1;
  const picked = curve.filter(
    (_, k) => curve.length <= maxCurveLines || k % Math.ceil(last / (maxCurveLines - 1)) === 0 || k === last,
  );
  return picked.map(({ crawls, price, ...measured }) => {
    const fetches = `${figure(Math.ceil(crawls), 3)} fetches ${durationAhead(interval)}`;
    return `${fetches}: ${measureInWords(measured)}; one more ${marginInWords(measured, price ?? 0)}`;
  });
}

function measureInWords({ freshness, meanDelay }: LogTarget): string {
  if (freshness !== undefined) return `copies are current ${share(freshness, 3)} of the time`;
  return `a change waits ${duration(meanDelay ?? Number.NaN)} in the mean`;
}

const marginInWords = ({ freshness }: LogTarget, price: number): string =>
  freshness !== undefined ? `adds ${share(price)}` : `takes ${duration(price)} off`;
