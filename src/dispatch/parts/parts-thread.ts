/** Entry of a worker's other threads: the parts of solvers that they can do, which is all that they load. */
import { reportsPart } from '../../solvers/crawl-allocation/gains/page-reports.ts';
import { quasiPart } from '../../solvers/crawl-allocation/gains/quasi-table.ts';
import { countsPart } from '../../solvers/crawl-allocation/pricing/price-count.ts';
import { afterPart } from '../../solvers/crawl-plan/answer/intervals-after.ts';
import { intervalsPart } from '../../solvers/crawl-plan/evidence/page-rates.ts';
import { probesPart } from '../../solvers/crawl-plan/place/probes.ts';
import { ratesPart } from '../../solvers/estimation/index.ts';
import { beliefsPart } from '../../solvers/pages/evidence/index.ts';
import { columnsPart } from '../lifted/elsewhere.ts';
import { numbersPart } from '../wire/text-bytes.ts';
import { collectPart } from './parts-line.ts';
import { serveParts } from './serve-parts.ts';

serveParts([
  afterPart,
  beliefsPart,
  collectPart,
  columnsPart,
  countsPart,
  intervalsPart,
  numbersPart,
  probesPart,
  quasiPart,
  ratesPart,
  reportsPart,
]);
