/**
 * crawl-price: the histogram of the pages, and where the price parts those that are crawled from those that are not.
 */

import { figure } from '../../../words/numbers.ts';
import { at, cells, column, list, number, rowCount } from '../../api/read.ts';
import { chart, ink, logAxis, rule, widened } from '../frame/chart.ts';
import { dots, extent } from '../frame/dots.ts';
import type { Picture, Pictures } from '../frame/picture.ts';

export const priceHistogram: Pictures = ({ request, answer }) => {
  const { buckets } = request;
  if (rowCount(buckets) === 0 || !answer.solution) return [];
  const pages = column(buckets, 'pages');
  const changeRate = column(buckets, 'changeRate');
  const weight = column(buckets, 'weight');
  const high = column(buckets, 'ratioMax');
  const ratio = Float64Array.from(weight, (each, b) => each / changeRate[b]);
  const price = number(answer, 'solution', 'price');
  const hostPrice = new Map(
    list(answer, 'solution', 'hosts').map((each) => [at(each, 'host'), number(each, 'price')] as const),
  );
  const host = cells(buckets, 'host');
  const freshness = (at(request, 'objective') ?? 'freshness') === 'freshness';
  const never = Uint8Array.from(high, (each, b) => (freshness && each <= (hostPrice.get(host[b]) ?? price) ? 1 : 0));
  const picture: Picture = {
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
          ...(price > 0 ? rule(price, `price ${figure(price, 3)}`, ink.orange) : []),
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
  return [picture];
};
