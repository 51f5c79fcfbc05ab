/** The pages and the law of `access-frequencies` and `access-sequence`, read from a request. */
import { lawIn } from '../laws.ts';
import { numberIn, positionsOf, type WireObject, WireTable } from '../wire.ts';

/** Lists are by page: `host` positions, −1 for none; `lastAccess` accesses since the last one, NaN for never. */
export function accessRequest(request: WireObject) {
  const pages = new WireTable(request.pages, 'pages');
  const changeRate = pages.numbers('changeRate');
  const weight = pages.numbers('weight', Number.NaN);
  return {
    accessTime: lawIn(request, 'accessTime'),
    changeRate,
    weight: weight.map((own, i) => (Number.isNaN(own) ? changeRate[i] : own)),
    minFrequency: numberIn(request, 'minFrequency', 0),
    crawlers: numberIn(request, 'crawlers', 1),
    host: positionsOf(pages.texts('host')),
    lastAccess: pages.numbers('lastAccess', Number.NaN),
  };
}
