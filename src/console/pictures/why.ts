/** Why a plan fetches a page when it does, or never: what the command line says with --explain. */
import { explainPage } from '../../words/explain-page.ts';
import type { Answered } from '../api/answered.ts';
import { at, number, text } from '../api/read.ts';

/** Where a cell of a list stands, whether it came as rows or as columns. */
const place = (table: unknown, name: string, row: number): [string | number, string | number] =>
  Array.isArray(table) ? [row, name] : [name, row];

/** The explanation of a row; empty where the answer is no plan of fetches for ever. */
export function whyFetched({ request, answer }: Answered, row: number): string {
  const shadowPrice = number(answer.solution, 'shadowPrice');
  const pages = at(answer.solution, 'pages');
  const own = (name: string): number => number(pages, ...place(pages, name, row));
  const orNull = (name: string): number | null => (Number.isFinite(own(name)) ? own(name) : null);
  const asked = (name: string): number | undefined =>
    [number(request.pages, ...place(request.pages, name, row)), number(request, name)].find(Number.isFinite);
  if (!Number.isFinite(shadowPrice) || !Number.isFinite(own('crawls')) || !Number.isFinite(number(request, 'now')))
    return '';
  const interval = at(pages, ...place(pages, 'changeRateInterval', row));
  const high = number(interval, 1);
  return explainPage(
    {
      changeRate: own('changeRate'),
      changeRateInterval: [number(interval, 0), Number.isFinite(high) ? high : null],
      crawls: own('crawls'),
      fetchInterval: orNull('fetchInterval'),
      intervalIfUnchanged: orNull('intervalIfUnchanged'),
      intervalIfChanged: orNull('intervalIfChanged'),
      nextFetch: orNull('nextFetch'),
      staleness: own('staleness'),
    },
    {
      now: number(request, 'now'),
      interval: number(request, 'interval'),
      shadowPrice,
      objective: text(request, 'objective') || undefined,
      weight: asked('weight'),
      minInterval: asked('minInterval'),
      maxInterval: asked('maxInterval'),
      evenShare: asked('evenShare'),
    },
  );
}
