/** What crawl-plan learnt from the log beside rates: at which hours pages change, which groups change together, and bursts. */
import { figure, percent, seconds } from '../format.ts';
import { bars, chart, ink, level, Plot } from './chart.ts';
import type { Answered, Picture } from './picture.ts';
import { at, list, number, text } from './read.ts';

const mostGroups = 30;

/** The pictures of what was asked for; none where nothing was. */
export function learntPictures({ answer }: Answered): Picture[] {
  const { rhythm, groups, bursts } = answer;
  return [
    ...(rhythm === undefined ? [] : [rhythmOfDay(rhythm)]),
    ...(list(groups, 'list').length === 0 ? [] : [strengths(groups)]),
    ...(bursts === undefined ? [] : [burstsOverTime(bursts)]),
  ];
}

function rhythmOfDay(rhythm: unknown): Picture {
  const hours = list(rhythm, 'hours').map((each, hour) => ({
    hour: hour + 0.5,
    rate: number(each, 'rate'),
    low: number(each, 'interval', 0),
    high: number(each, 'interval', 1),
    urgency: number(each, 'urgency'),
  }));
  return {
    id: 'rhythm',
    title: 'When in the day pages change, and when a fetch is worth most',
    keys: [
      { label: 'changes, over the mean, with 95% intervals', color: ink.blue, shape: 'band' },
      { label: 'urgency of a fetch', color: ink.orange, shape: 'line' },
    ],
    ...(at(rhythm, 'taken') !== true && {
      note: 'The log does not show this a hundred to one: the plan makes nothing of it.',
    }),
    draw: (width) =>
      chart(width, {
        x: { label: 'hour of the day', domain: [0, 24], ticks: [0, 6, 12, 18, 24] },
        y: { label: 'over the mean', zero: true },
        marks: [
          Plot.areaY(hours, { x: 'hour', y1: 'low', y2: 'high', fill: ink.blue, fillOpacity: 0.15 }),
          Plot.lineY(hours, { x: 'hour', y: 'rate', stroke: ink.blue, strokeWidth: 2 }),
          Plot.lineY(hours, { x: 'hour', y: 'urgency', stroke: ink.orange, strokeWidth: 2 }),
          ...level(1, 'mean'),
        ],
        color: { type: 'identity' },
      }),
  };
}

function strengths(groups: unknown): Picture {
  const known = list(groups, 'list').slice(0, mostGroups);
  const data = known.map((each) => {
    const value = number(each, 'strength');
    const interval = `${percent(number(each, 'interval', 0))} to ${percent(number(each, 'interval', 1))}`;
    return { label: text(each, 'group'), value, text: `${percent(value)} (${interval})` };
  });
  return {
    id: 'siblings',
    title: 'How often a page had changed where a sibling had',
    ...(list(groups, 'list').length > mostGroups && { note: `The ${mostGroups} strongest groups.` }),
    draw: (width) => bars(width, data, 'chance'),
  };
}

/** How often a page changes while it is quiet and in a burst, over its mean. */
function burstsOverTime(bursts: unknown): Picture {
  const share = number(bursts, 'busyShare');
  const ratio = number(bursts, 'ratio');
  const quiet = 1 / (1 - share + share * ratio);
  const data = [
    { label: `quiet, ${percent(1 - share)} of the time`, value: quiet, color: ink.grey },
    { label: `in a burst, ${percent(share)} of the time`, value: ratio * quiet, color: ink.orange },
  ].map((each) => ({ ...each, text: `${figure(each.value)} times` }));
  return {
    id: 'bursts',
    title: `How often pages change in bursts of ${seconds(number(bursts, 'length'))}, over their mean`,
    draw: (width) => bars(width, data, 'changes, over the mean'),
  };
}
