/**
 * `node scripts/torment/repairs.ts [--each 1000] [--seed N] [--operations NAME,NAME]`: applies every repair that the conflicts of so
 * many generated requests offer, for each operation that offers any. Ends with 1 where one does not repair.
 */
import { parseArgs } from 'node:util';
import { tryRepairs } from './repairs-that-fail.ts';
import { repairing } from './requests/infeasible.ts';

const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '20261123' },
    operations: { type: 'string', default: repairing.join(',') },
  },
});

let wrong = 0;
for (const operation of values.operations.split(',')) {
  const tried = tryRepairs(operation, { each: Number(values.each), seed: Number(values.seed) });
  const { infeasible, repairs, unrepaired, failed } = tried;
  const figures = `${infeasible} conflicts, ${repairs} repairs, ${unrepaired} conflicts without one`;
  process.stdout.write(`${operation}: ${figures}, ${failed.length} repairs that fail\n`);
  for (const one of failed.slice(0, 5)) process.stdout.write(`  ${one}\n`);
  wrong += failed.length;
}
process.exit(wrong === 0 ? 0 : 1);
