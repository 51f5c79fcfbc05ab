/** The pages and the law of `access-frequencies` and `access-sequence`, read from a request. */
import type { Distribution } from '../../solvers/laws/index.ts';
import { lawIn } from '../laws.ts';
import { numberIn, positionsOf, type WireObject, WireTable } from '../wire.ts';

/** Lists are by page. */
interface AccessRequest {
  readonly accessTime: Distribution;
  readonly changeRate: Float64Array;
  readonly weight: Float64Array;
  readonly minFrequency: number;
  readonly crawlers: number;
  /** Position of the host, −1 for none. */
  readonly host: Int32Array;
  /** Accesses since the last one, NaN for never. */
  readonly lastAccess: Float64Array;
}

export function accessRequest(request: WireObject): AccessRequest {
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
