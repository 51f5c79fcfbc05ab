/** Bar charts that compare the answer with its alternatives: simple rules, other methods, policies, candidate laws. */
import { figure, share } from '../../schemas/words/numbers.ts';
import type { Exchange } from '../api/answer.ts';
import { listAt, numberAt, numbersAt, textAt, valueAt } from '../api/read.ts';
import { spellName } from '../contract/meaning.ts';
import { chart, Plot, palette, shortenText, tickText } from './frame/chart.ts';
import { rowName } from './frame/names.ts';
import type { Picture, Pictures } from './frame/picture.ts';

/** Breaks a label that is too long for one line into two. */
function breakLabel(label: string, maxCharacters: number): string {
  if (label.length <= maxCharacters) return label;
  const space = label.lastIndexOf(' ', maxCharacters);
  if (space <= 0) return shortenText(label, maxCharacters);
  return `${label.slice(0, space)}\n${shortenText(label.slice(space + 1), maxCharacters)}`;
}

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly color?: string;
  /** Text at the end of the bar; the value by default. */
  readonly text?: string;
}

const finiteBars = (data: readonly Bar[]): Bar[] => data.filter(({ value }) => Number.isFinite(value));

/** Horizontal bars with their values at the end; `axis` formats the numbers of the axis. */
function bars(width: number, allBars: readonly Bar[], label: string, axis?: (value: number) => string): Element {
  const data = finiteBars(allBars);
  const positions = data.map((_, i) => i);
  const longest = Math.max(0, ...data.map((each) => each.label.length));
  const marginLeft = Math.min(width * 0.5, 22 + 6.8 * longest);
  const maxCharacters = Math.floor((marginLeft - 22) / 6.4);
  const isTight = data.length > 8;
  const barLabel = (i: number): string => (isTight ? shortenText : breakLabel)(data[i].label, maxCharacters);
  const ends = data.map((each) => each.text ?? tickText(Number(each.value.toPrecision(4))));
  return chart(width, {
    height: 58 + (isTight ? 22 : 30) * data.length,
    marginLeft,
    marginRight: 22 + 7 * Math.max(0, ...ends.map((end) => end.length)),
    marginTop: 8,
    x: {
      label,
      grid: false,
      zero: true,
      ticks: Math.max(3, Math.round(width / 130)),
      ...(axis && { tickFormat: axis }),
    },
    y: { label: null, type: 'band', domain: positions, tickFormat: barLabel, tickSize: 0 },
    grid: false,
    marks: [
      Plot.barX(positions, {
        x: (i: number) => data[i].value,
        y: (i: number) => i,
        fill: (i: number) => data[i].color ?? palette.blue,
        insetTop: isTight ? 1 : 3,
        insetBottom: isTight ? 1 : 3,
      }),
      Plot.text(positions, {
        x: (i: number) => data[i].value,
        y: (i: number) => i,
        text: (i: number) => ends[i],
        textAnchor: 'start',
        dx: 6,
        fill: palette.text,
      }),
      Plot.ruleX([0], { stroke: palette.muted }),
    ],
    color: { type: 'identity' },
  });
}

const maxBars = 18;

/** The objective, its bound, and the values of simpler rules. */
export const baselines: Pictures = ({ answer }) => {
  const baseline = valueAt(answer, 'baseline');
  const baselineBars = Object.entries(Object(answer.baselines)).map(([name, value]) => ({
    label: spellName(name),
    value: typeof value === 'number' ? value : Number.NaN,
    color: palette.orange,
  }));
  const fixedBar: Bar = {
    label: `${figure(numberAt(baseline, 'crawlers'))} always active`,
    value: numberAt(baseline, 'cost'),
    color: palette.orange,
  };
  const rest = finiteBars([...baselineBars, fixedBar]);
  if (rest.length === 0) return [];
  const { value = Number.NaN, bound = null } = answer.objective ?? {};
  const isBoundHidden = answer.status === 'optimal' || bound === null;
  const data = finiteBars([
    { label: answer.status === 'evaluated' ? 'as asked' : 'this answer', value, color: palette.blue },
    { label: 'bound: none is below', value: isBoundHidden ? Number.NaN : bound, color: palette.grey },
    ...rest,
  ]);
  const labelledBars = data.map((each) => ({ ...each, text: figure(each.value) }));
  return [
    { id: 'baselines', title: 'Against simpler rules', draw: (width) => bars(width, labelledBars, 'the objective') },
  ];
};

/** The cost of each method of access-sequence over the bound. */
export const methods: Pictures = ({ answer }) => {
  const methodRows = listAt(answer, 'methods');
  if (methodRows.length < 2) return [];
  const bound = numberAt(answer, 'objective', 'bound');
  const answerMethod = textAt(answer.solution, 'method');
  const cost = numberAt(answer, 'objective', 'value');
  // A method may appear twice, plain and improved; the cheaper one is the answer.
  const isChosen = (each: unknown): boolean =>
    textAt(each, 'method') === answerMethod && Math.abs(numberAt(each, 'cost') / cost - 1) < 1e-9;
  const data = methodRows
    .map((each) => ({ each, excess: Math.max(0, numberAt(each, 'cost') / bound - 1) }))
    .sort((a, b) => a.excess - b.excess)
    .map(({ each, excess }): Bar => {
      const isImproved = valueAt(each, 'improved') === true;
      const length = numberAt(each, 'cycleLength');
      return {
        label: `${textAt(each, 'method')}${isImproved ? ', improved' : ''}${Number.isFinite(length) ? `, ${figure(length)}` : ''}`,
        value: excess,
        text: `+${share(excess, 3)}`,
        color: isChosen(each) ? palette.green : palette.blue,
      };
    });
  return [
    {
      id: 'methods',
      title: 'What each method costs over the bound',
      keys: [{ label: `chosen: ${answerMethod}`, color: palette.green, shape: 'square' }],
      note: 'Beside each method: the length of its cycle.',
      draw: (width) => bars(width, data, 'cost over the bound', (excess) => share(excess, 3)),
    },
  ];
};

const setText = (modes: readonly number[]): string => `{${modes.map((mode) => figure(mode)).join(', ')}}`;

/** The cost of every set of modes at its best thresholds, and of each single mode. */
export const modeSets: Pictures = ({ answer }) => {
  const fixedModes = listAt(answer, 'fixedModes');
  if (fixedModes.length === 0) return [];
  const answerModes = setText(numbersAt(answer.solution, 'modes'));
  const subsets = listAt(answer, 'subsets').map((subset): Bar => {
    const modes = setText(numbersAt(subset, 'modes'));
    return {
      label: `${modes} at ${numbersAt(subset, 'thresholds').join(', ')}`,
      value: numberAt(subset, 'cost'),
      color: modes === answerModes && answer.status !== 'evaluated' ? palette.green : palette.blue,
    };
  });
  const fixedBars = fixedModes.map(
    (mode): Bar => ({
      label: `always ${figure(numberAt(mode, 'crawlers'))}`,
      value: numberAt(mode, 'cost'),
      color: palette.grey,
    }),
  );
  const queueLengthBar: Bar = {
    label: 'queue length alone',
    value: numberAt(answer, 'byQueueLength', 'cost'),
    color: palette.blue,
  };
  const cheapestBars = finiteBars([...fixedBars, ...subsets, queueLengthBar])
    .sort((a, b) => a.value - b.value)
    .slice(0, maxBars);
  const own: Bar = {
    label: answer.status === 'evaluated' ? 'your policy' : `the answer ${answerModes}`,
    value: numberAt(answer, 'objective', 'value'),
    color: answer.status === 'evaluated' ? palette.violet : palette.green,
  };
  const data = cheapestBars.some(({ color }) => color === palette.green) ? cheapestBars : [own, ...cheapestBars];
  return [
    {
      id: 'cost-of-subsets',
      title:
        subsets.length > 0
          ? 'Cost of every set of modes, at its best thresholds'
          : 'Cost against one number of crawlers for ever',
      isWide: true,
      keys: [
        {
          label: answer.status === 'evaluated' ? 'your policy' : 'chosen',
          color: own.color ?? palette.green,
          shape: 'square',
        },
        ...(subsets.length > 0 ? [{ label: 'other sets', color: palette.blue, shape: 'square' as const }] : []),
        { label: 'one mode only', color: palette.grey, shape: 'square' },
      ],
      draw: (width) => bars(width, data, 'cost per time unit'),
    },
  ];
};

/** The candidate laws of estimates/update-process, by AIC. */
export const candidates: Pictures = ({ answer }) => {
  const laws = listAt(answer.solution, 'candidates');
  if (laws.length < 2) return [];
  const best = numberAt(laws[0], 'aic');
  const data = laws.map((each, k): Bar => {
    const value = numberAt(each, 'aic') - best;
    return {
      label: textAt(each, 'distribution', 'type'),
      value,
      text: `+${figure(value, 3)}  (KS ${figure(numberAt(each, 'ks'), 3)})`,
      color: k === 0 ? palette.green : palette.blue,
    };
  });
  return [
    {
      id: 'candidates',
      title: 'The laws tried, by Akaike’s information criterion',
      note: 'The less the better; 0 is the best of them.',
      draw: (width) => bars(width, data, 'criterion over the best'),
    },
  ];
};

const maxWeights = 30;

/** The weight of each page, the heaviest first. */
export const weights: Pictures = ({ request, answer }: Exchange): Picture[] => {
  const pageWeights = numbersAt(answer.solution, 'weights');
  if (pageWeights.length === 0) return [];
  const ids = listAt(answer.solution, 'ids');
  const order = Array.from(pageWeights.keys()).sort((a, b) => pageWeights[b] - pageWeights[a]);
  const name = (page: number): string => {
    const id = ids[page];
    return typeof id === 'string' ? id : rowName(request.pages, page);
  };
  const data = order.slice(0, maxWeights).map((page): Bar => ({ label: name(page), value: pageWeights[page] }));
  return [
    {
      id: 'weights',
      title:
        data.length < pageWeights.length
          ? `The ${figure(data.length)} heaviest of ${figure(pageWeights.length)} pages`
          : 'Weight of each page',
      isWide: true,
      draw: (width) => bars(width, data, 'weight'),
    },
  ];
};
