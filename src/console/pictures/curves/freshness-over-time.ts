/** How measured freshness went: of all copies, of the two arms, and their difference, each with its band. */
import { at, list, number } from '../../api/read.ts';
import { chart, ink, Plot } from '../frame/chart.ts';
import type { Key, Picture, Pictures } from '../frame/picture.ts';

interface Moment {
  readonly time: Date;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

interface Course {
  readonly label: string;
  readonly color: string;
  readonly moments: readonly Moment[];
}

/** The moments at which an estimate of the history is there. */
function courseOf(history: readonly unknown[], label: string, color: string, path: readonly string[]): Course[] {
  const moments = history.flatMap((past): Moment[] => {
    const of = at(past, ...path);
    const value = number(of, 'value');
    const time = new Date(1000 * number(past, 'time'));
    return Number.isFinite(value)
      ? [{ time, value, low: number(of, 'interval', 0), high: number(of, 'interval', 1) }]
      : [];
  });
  return moments.length < 2 ? [] : [{ label, color, moments }];
}

interface Look {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly label: string;
  readonly domain: readonly [number, number];
  readonly zero?: boolean;
}

function picture(courses: readonly Course[], { id, title, note, label, domain, zero }: Look): Picture {
  const keys: Key[] = courses.flatMap(({ label: name, color }): Key[] => [{ label: name, color, shape: 'line' }]);
  return {
    id,
    title,
    ...(note !== undefined && { note }),
    keys: [...keys, { label: 'interval at that time', color: ink.grey, shape: 'band' }],
    draw: (width) =>
      chart(width, {
        x: { type: 'utc', label: null, tickFormat: undefined, ticks: Math.max(2, Math.floor(width / 110)) },
        y: { label, domain: [...domain] },
        marks: [
          ...(zero === true ? [Plot.ruleY([0], { stroke: ink.muted })] : []),
          ...courses.map(({ moments, color }) =>
            Plot.areaY(moments, { x: 'time', y1: 'low', y2: 'high', fill: color, fillOpacity: 0.18 }),
          ),
          ...courses.map(({ moments, color, label: name }) =>
            Plot.lineY(moments, { x: 'time', y: 'value', stroke: color, strokeWidth: 2, title: () => name }),
          ),
        ],
      }),
  };
}

export const freshnessOverTime: Pictures = ({ answer }) => {
  const history = list(answer.solution, 'history');
  const all = courseOf(history, 'all copies', ink.blue, ['freshness']);
  const arms = [
    ...courseOf(history, 'under the plan', ink.green, ['byArm', 'plan']),
    ...courseOf(history, 'under the incumbent', ink.orange, ['byArm', 'incumbent']),
  ];
  const gain = courseOf(history, 'plan less incumbent', ink.violet, ['difference']);
  const reach = Math.max(0.01, ...gain.flatMap(({ moments }) => moments.slice(-1).map(reachOf)));
  // The first intervals are as wide as can be: shown four times as wide as the last, the course can be seen.
  const widest = Math.min(1, 4 * reach);
  const clipped = gain.map((course) => ({ ...course, moments: course.moments.map((each) => within(each, widest)) }));
  const label = 'share of current copies';
  return [
    ...(all.length === 0
      ? []
      : [picture(all, { id: 'freshness-over-time', title: 'Freshness as it was told', label, domain: [0, 1] })]),
    ...(arms.length === 0
      ? []
      : [picture(arms, { id: 'arms-over-time', title: 'The two arms as they were told', label, domain: [0, 1] })]),
    ...(gain.length === 0
      ? []
      : [
          picture(clipped, {
            id: 'difference-over-time',
            title: `The difference as it was told${verdictOf(answer.solution)}`,
            note: 'A verdict is there once the band leaves 0 out.',
            label: 'plan less incumbent',
            domain: [-widest, widest],
            zero: true,
          }),
        ]),
  ];
};

const reachOf = ({ low, high }: Moment): number => Math.max(Math.abs(low), Math.abs(high));

function within({ time, value, low, high }: Moment, widest: number): Moment {
  const cut = (y: number): number => Math.max(-widest, Math.min(widest, y));
  return { time, value: cut(value), low: cut(low), high: cut(high) };
}

function verdictOf(solution: unknown): string {
  const verdict = at(solution, 'verdict');
  return typeof verdict === 'string' ? `: ${verdict.replaceAll('-', ' ')}` : '';
}
