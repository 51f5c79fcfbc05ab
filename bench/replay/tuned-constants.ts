/**
 * Every constant of crawl-plan that was set on data, and the data it was set on. A trace named here judges nothing:
 * figures on it show that a plan works, figures on other traces how well. Constants of exploration were set on
 * simulated pages, others never.
 */
export const tunedConstants: readonly { readonly name: string; readonly file: string; readonly setOn: string }[] = [
  { name: 'even share 0.05', file: 'src/schemas/crawl-plan/wire-request.ts', setOn: 'terms' },
  {
    name: 'probes: learning time 120 days, least gain 0.3',
    file: 'src/solvers/crawl-plan/place/probes.ts',
    setOn: 'simulated',
  },
];

/** Names of traces, as the table uses them. */
export const traceNames = {
  simulated:
    'bench/replay/independent-pages.ts, seeds 5, 9 and 301 to 340, and 60 pages of two kinds (test/solvers/crawl-plan/exploration.test.ts)',
  terms: 'Open Terms Archive, contrib collection, 636 pages from 2023-01-01 to 2026-08-01',
} as const;
