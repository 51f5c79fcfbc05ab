/** The pages and the law of `access-frequencies` and `access-sequence`, read from a request. */
import { lawIn } from '../laws.ts';
import { numberIn, type WireObject, WireTable } from '../wire.ts';

/** Lists are by page: `lastAccess` accesses since the last one, NaN for never. */
export function accessRequest(request: WireObject) {
  const pages = new WireTable(request.pages, 'pages');
  const changeRate = pages.numbers('changeRate');
  const weight = pages.numbers('weight', Number.NaN);
  return {
    accessTime: lawIn(request, 'accessTime'),
    changeRate,
    weight: weight.map((own, i) => (Number.isNaN(own) ? changeRate[i] : own)),
    minFrequency: numberIn(request, 'minFrequency', 0),
    lastAccess: pages.numbers('lastAccess', Number.NaN),
  };
}
