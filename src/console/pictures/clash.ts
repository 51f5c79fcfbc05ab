/** What clashes where an operation has no solution: what is asked for beside what there is. */
import { figure } from '../format.ts';
import { type Bar, bars, ink } from './chart.ts';
import type { Answered, Picture } from './picture.ts';
import { list, nearestMeasure, number, text } from './read.ts';

/** A conflict as bars of its own numbers (those it has), with its repair in words. */
export function clashBars(conflict: unknown, title: string, data: readonly Bar[], unit: string): Picture {
  const known = data.filter(({ value }) => Number.isFinite(value));
  const labelled = known.map((each) => ({ ...each, text: figure(each.value) }));
  return {
    id: 'clash',
    title,
    note: text(conflict, 'repair'),
    draw: (width) => bars(width, labelled, unit),
  };
}

/** What is asked for and what there is, as bars of the conflict's own numbers. */
function askedAndThere({ request, answer }: Answered): Bar[] {
  const { conflict } = answer;
  const red = { color: ink.red };
  const green = { color: ink.green };
  const limits = list(conflict, 'limits').flatMap((each): Bar[] => [
    { label: `${text(each, 'constraint')}, least there is`, value: number(each, 'smallest'), ...red },
    { label: `${text(each, 'constraint')}, allowed`, value: number(each, 'limit'), ...green },
  ]);
  const nearest = list(conflict, 'limits').flatMap((each): Bar[] => [
    {
      label: `${text(each, 'constraint')}, nearest there is`,
      value: nearestMeasure(conflict, text(each, 'constraint')),
      color: ink.orange,
    },
  ]);
  const pairs: Bar[] = [
    { label: 'fewest crawls the limits allow', value: number(conflict, 'least'), ...red },
    { label: 'most crawls the limits allow', value: number(conflict, 'most'), color: ink.orange },
    { label: 'crawls', value: number(conflict, 'crawls'), ...red },
    { label: 'slots', value: number(conflict, 'slots'), ...green },
    { label: 'least frequency asked for', value: number(conflict, 'minFrequency'), ...red },
    { label: 'largest there can be', value: number(conflict, 'largestMinFrequency'), ...green },
    { label: 'left side', value: number(conflict, 'left'), ...red },
    { label: 'right side', value: number(conflict, 'right'), ...green },
    { label: 'asked for', value: Number.isFinite(number(conflict, 'least')) ? number(request, 'crawls') : Number.NaN },
  ];
  return [...limits, ...nearest, ...pairs];
}

/** The picture of a conflict of any operation; none where the answer names no numbers. */
export function clashPictures(answered: Answered): Picture[] {
  const { conflict } = answered.answer;
  const data = askedAndThere(answered).filter(({ value }) => Number.isFinite(value));
  const inequality = text(conflict, 'inequality');
  const title = inequality === '' ? 'What clashes' : `What clashes: ${inequality}`;
  return data.length === 0 ? [] : [{ ...clashBars(conflict, title, data, ''), wide: true }];
}
