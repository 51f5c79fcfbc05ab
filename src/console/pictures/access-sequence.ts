/** access-sequence: the cycle as a strip, how often each page comes, and what each method costs over the bound. */
import { figure, percent } from '../format.ts';
import { stalenessPicture } from './access-frequencies.ts';
import { bars, chart, ink, Plot, series } from './chart.ts';
import type { Answered, Illustrator, Picture } from './picture.ts';
import { at, column, list, nameOf, number, numbers, text } from './read.ts';

const shownAccesses = 240;
const shownPages = 24;

/** The cycle, an access a tick, a page a row; the most accessed pages where there are many. */
function strip({ request, answer }: Answered): Picture {
  const sequence = numbers(answer.solution, 'sequence');
  const several = list(answer.solution, 'crawlers').length > 0;
  const inCycle = new Set(several ? sequence : []);
  // with several crawlers the pages of the first one
  const counts = numbers(answer.solution, 'counts').map((count, page) => (several && !inCycle.has(page) ? 0 : count));
  const byCount = (several ? [...inCycle] : counts.map((_, page) => page)).sort((a, b) => counts[b] - counts[a]);
  const rows = byCount.slice(0, shownPages);
  const row = new Map(rows.map((page, position) => [page, position]));
  const shown = sequence.slice(0, shownAccesses);
  const ticks = shown.flatMap((page, position) => (row.has(page) ? [{ position, page }] : []));
  const name = (page: number): string => nameOf(request.pages, page).slice(-24);
  const part =
    shown.length < sequence.length ? `, the first ${figure(shown.length)} of ${figure(sequence.length)} accesses` : '';
  const rest = rows.length < byCount.length ? `; the ${figure(rows.length)} pages accessed most` : '';
  return {
    id: 'cycle',
    title: `The cycle${several ? ' of the first crawler' : ''}${part}${rest}`,
    wide: true,
    draw: (width) =>
      chart(width, {
        height: 60 + 17 * rows.length,
        marginLeft: Math.min(190, 24 + 7 * Math.max(...rows.map((page) => name(page).length))),
        x: { label: 'position in the cycle', domain: [-0.5, shown.length - 0.5], ticks: 10 },
        y: { type: 'band', label: null, domain: rows.map(name) },
        marks: [
          Plot.rect(ticks, {
            x1: ({ position }) => position - 0.45,
            x2: ({ position }) => position + 0.45,
            y: ({ page }) => name(page),
            fill: ({ page }) => series[(row.get(page) ?? 0) % series.length],
            inset: 0.4,
            className: 'accesses',
          }),
        ],
        color: { type: 'identity' },
      }),
  };
}

function methods({ answer }: Answered): Picture {
  const bound = number(answer, 'objective', 'bound');
  const chosen = text(answer.solution, 'method');
  // The chosen cycle is the improved one where its method was improved.
  const anyImproved = list(answer, 'methods').some(
    (each) => text(each, 'method') === chosen && at(each, 'improved') === true,
  );
  const data = list(answer, 'methods')
    .map((method) => ({
      method: text(method, 'method'),
      improved: at(method, 'improved') === true,
      over: number(method, 'cost') / bound - 1,
      length: number(method, 'cycleLength'),
    }))
    .sort((a, b) => a.over - b.over)
    .map(({ method, improved, over, length }) => ({
      label: `${method}${improved ? ', improved' : ''}${Number.isFinite(length) ? `, ${figure(length)}` : ''}`,
      value: Math.max(0, over),
      text: `+${percent(Math.max(0, over))}`,
      color: method === chosen && improved === anyImproved ? ink.green : ink.blue,
    }));
  return {
    id: 'methods',
    title: 'What each method costs over the bound',
    keys: [{ label: `chosen: ${chosen}`, color: ink.green, shape: 'square' }],
    note: 'Beside each method: the length of its cycle.',
    draw: (width) => bars(width, data, 'cost over the bound, relative'),
  };
}

export const accessSequence: Illustrator = {
  pictures(answered) {
    const { request, answer } = answered;
    if (!answer.solution) return [];
    const rate = column(request.pages, 'changeRate');
    const staleness = column(answer.solution.pages, 'staleness');
    const tried = list(answer, 'methods').length > 0 ? [methods(answered)] : [];
    return [strip(answered), ...tried, stalenessPicture(rate, staleness, (i) => nameOf(request.pages, i))];
  },
  headline: ({ answer: { solution } }) => [
    ['method', text(solution, 'method')],
    ['cycle length', figure(number(solution, 'cycleLength'))],
    ['pages', figure(list(solution, 'counts').length)],
  ],
};
