/** What clashes where there is no solution: the numbers of the conflict, what is asked for beside what there is. */

import { figure } from '../../../words/numbers.ts';
import { list, number, text } from '../../api/read.ts';
import { type Bar, bars } from '../frame/bars.ts';
import { ink } from '../frame/chart.ts';
import type { Pictures } from '../frame/picture.ts';

type Side = 'asked' | 'nearest' | 'there';

/** The numbers of conflicts that can stand beside each other, and which side they are on. */
const sides: readonly (readonly [name: string, label: string, side: Side])[] = [
  ['crawlsNeeded', 'fetches due by then', 'asked'],
  ['crawls', 'crawls to make', 'asked'],
  ['least', 'fewest crawls the limits allow', 'asked'],
  ['most', 'most crawls the limits allow', 'there'],
  ['slots', 'slots', 'there'],
  ['minFrequency', 'least frequency asked for', 'asked'],
  ['largestMinFrequency', 'largest there can be', 'there'],
  ['left', 'left side', 'asked'],
  ['right', 'right side', 'there'],
];
const colors: Readonly<Record<Side, string>> = { asked: ink.red, nearest: ink.orange, there: ink.green };

/** A measure of the policy or count that comes nearest to the limits; NaN where the answer names none. */
function nearestMeasure(conflict: unknown, name: string): number {
  const ofPolicy = number(conflict, 'nearest', 'measures', name);
  return Number.isFinite(ofPolicy) ? ofPolicy : number(conflict, 'nearest', name);
}

function limitBars(conflict: unknown): Bar[] {
  return list(conflict, 'limits').flatMap((each): Bar[] => {
    const name = text(each, 'constraint');
    return [
      { label: `${name}, least there is`, value: number(each, 'smallest'), color: colors.asked },
      { label: `${name}, nearest there is`, value: nearestMeasure(conflict, name), color: colors.nearest },
      { label: `${name}, allowed`, value: number(each, 'limit'), color: colors.there },
    ];
  });
}

export const clash: Pictures = ({ answer: { conflict } }) => {
  const pairs = sides.map(
    ([name, label, side]): Bar => ({ label, value: number(conflict, name), color: colors[side] }),
  );
  const data = [...limitBars(conflict), ...pairs]
    .filter(({ value }) => Number.isFinite(value))
    .map((each) => ({ ...each, text: figure(each.value) }));
  if (data.length === 0) return [];
  const inequality = text(conflict, 'inequality');
  return [
    {
      id: 'clash',
      title: inequality === '' ? 'What clashes' : `What clashes: ${inequality}`,
      wide: true,
      draw: (width) => bars(width, data, ''),
    },
  ];
};
