/**
 * crawl-price: the histogram of the pages, and where the price parts those that are crawled from those that are not.
 */
import { figure } from '../format.ts';
import { widened } from './access-frequencies.ts';
import { chart, ink, logAxis, Plot } from './chart.ts';
import { dots, extent } from './dots.ts';
import type { Answered, Illustrator, Picture } from './picture.ts';
import { at, cells, column, list, number, numbers, text } from './read.ts';

/** What a crawl of a host's pages costs. */
function pricesByHost(answer: Answered['answer']): Map<string, number> {
  return new Map(list(answer, 'solution', 'hosts').map((each) => [text(each, 'host'), number(each, 'price')]));
}

function histogramPicture({ request, answer }: Answered): Picture {
  const { buckets } = request;
  const pages = column(buckets, 'pages');
  const changeRate = column(buckets, 'changeRate');
  const weight = column(buckets, 'weight');
  const high = column(buckets, 'ratioMax');
  const ratio = Float64Array.from(weight, (each, b) => each / changeRate[b]);
  const price = number(answer, 'solution', 'price');
  const hosts = pricesByHost(answer);
  const host = cells(buckets, 'host');
  const freshness = (at(request, 'objective') ?? 'freshness') === 'freshness';
  const never = Uint8Array.from(high, (each, b) =>
    freshness && each <= (hosts.get(String(host[b])) ?? price) ? 1 : 0,
  );
  return {
    id: 'histogram',
    title: 'Pages by ratio',
    keys: [
      { label: 'crawled', color: ink.blue, shape: 'dot' },
      ...(never.includes(1) ? [{ label: 'never crawled', color: ink.red, shape: 'dot' as const }] : []),
    ],
    draw: (width) =>
      chart(width, {
        x: logAxis(widened(extent(ratio, true)), 'weight per change rate'),
        y: logAxis(widened(extent(pages, true)), 'pages in the bucket'),
        marks: [
          ...(price > 0 ? [Plot.ruleX([price], { stroke: ink.orange, strokeDasharray: '4 3' })] : []),
          ...dots(
            {
              x: ratio,
              y: pages,
              color: never,
              colors: [ink.blue, ink.red],
              title: (b) =>
                `${figure(pages[b])} pages\nratio ${figure(ratio[b])}\n${figure(changeRate[b])} changes a time unit`,
            },
            { logX: true, logY: true, radius: 4 },
          ),
        ],
        color: { type: 'identity' },
      }),
  };
}

/** Two near numbers with as many digits as tell them apart. */
function bracket(ends: readonly number[]): string {
  const texts = [4, 6, 8, 10, 12].map((digits) => ends.map((end) => figure(end, digits)));
  return (texts.find(([low, high]) => low !== high) ?? texts[0]).join(' and ');
}

export const crawlPrice: Illustrator = {
  pictures: (answered) => (answered.answer.solution ? [histogramPicture(answered)] : []),
  headline: ({ answer }) => [
    ['price', figure(number(answer, 'solution', 'price'))],
    ['between', bracket(numbers(answer, 'solution', 'priceBracket'))],
    ['never crawled', figure(number(answer, 'solution', 'withoutCrawl', 'pages'))],
  ],
};
