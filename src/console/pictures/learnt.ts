/**
 * What crawl-plan learnt from the log beside rates: at which hours pages change, which groups change together, and
 * bursts.
 */
import { figure, seconds } from '../format.ts';
import { bars, chart, ink, level, Plot } from './chart.ts';
import { burstBars, rhythmPoints, strengthBars } from './learnt-points.ts';
import type { Answered, Picture } from './picture.ts';
import { at, list, number } from './read.ts';

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
  const hours = rhythmPoints(rhythm);
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
  const data = strengthBars(groups, mostGroups);
  return {
    id: 'siblings',
    title: 'How often a page had changed where a sibling had',
    ...(list(groups, 'list').length > mostGroups && { note: `The ${mostGroups} strongest groups.` }),
    draw: (width) => bars(width, data, 'chance'),
  };
}

/** How often a page changes while it is quiet and in a burst, over its mean. */
function burstsOverTime(bursts: unknown): Picture {
  const [quiet, busy] = burstBars(bursts);
  const data = [
    { ...quiet, color: ink.grey },
    { ...busy, color: ink.orange },
  ].map((each) => ({ ...each, text: `${figure(each.value)} times` }));
  return {
    id: 'bursts',
    title: `How often pages change in bursts of ${seconds(number(bursts, 'length'))}, over their mean`,
    draw: (width) => bars(width, data, 'changes, over the mean'),
  };
}
