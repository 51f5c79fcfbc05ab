import type { JsonObject } from '../../api/json.ts';
import { number } from '../../api/read.ts';

/** The number of the request along which the curve stands; undefined where it has none, as with a target. */
export const boughtAlong = (request: JsonObject): string | undefined =>
  ['crawls', 'rate'].find((name) => Number.isFinite(number(request, name)));
