/** The marks of the pictures in learnt.ts, from what an answer of crawl-plan says was learnt. */
import { percent } from '../format.ts';
import { list, number, text } from './read.ts';

/** A bar of a picture. */
export interface LearntBar {
  readonly label: string;
  readonly value: number;
}

/** By hour of the day, at its middle: how often pages change, over the mean, and how urgent a fetch is. */
export function rhythmPoints(rhythm: unknown) {
  return list(rhythm, 'hours').map((each, hour) => ({
    hour: hour + 0.5,
    rate: number(each, 'rate'),
    low: number(each, 'interval', 0),
    high: number(each, 'interval', 1),
    urgency: number(each, 'urgency'),
  }));
}

/** How strongly the first so many groups change together. */
export function strengthBars(groups: unknown, most: number): (LearntBar & { readonly text: string })[] {
  return list(groups, 'list')
    .slice(0, most)
    .map((each) => {
      const value = number(each, 'strength');
      const interval = `${percent(number(each, 'interval', 0))} to ${percent(number(each, 'interval', 1))}`;
      return { label: text(each, 'group'), value, text: `${percent(value)} (${interval})` };
    });
}

/** How often a page changes, over its mean, while it is quiet and while it is in a burst. */
export function burstBars(bursts: unknown): readonly [quiet: LearntBar, busy: LearntBar] {
  const share = number(bursts, 'busyShare');
  const ratio = number(bursts, 'ratio');
  const quiet = 1 / (1 - share + share * ratio);
  return [
    { label: `quiet, ${percent(1 - share)} of the time`, value: quiet },
    { label: `in a burst, ${percent(share)} of the time`, value: ratio * quiet },
  ];
}
