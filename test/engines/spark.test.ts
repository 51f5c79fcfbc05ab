/**
 * The statements on a Spark standalone cluster over a folder of Parquet partitions; a worker lost on the way loses
 * nothing.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialects, histogramStatement, statementObjectives } from '../../src/statements/index.ts';
import { lognormalPages } from '../solvers/crawl-price/tables-of-pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { expectAgreement, expectHostPrices } from './agreement.ts';
import { writePages } from './page-files.ts';
import { expectRates, logQuery } from './rates-agreement.ts';
import { type SparkClient, SparkCluster, spark } from './spark-cluster.ts';

const pages = lognormalPages(20_000, 37);
const table = { from: '`pages`', id: 'url', changeRate: 'rate', weight: 'w' };

describe.skipIf(spark === null)('Spark', () => {
  const folder = temporaryFolder();
  let cluster: SparkCluster;
  let client: SparkClient;
  beforeAll(async () => {
    if (spark === null) throw new Error('no Spark');
    const { partitioned } = await writePages(pages, folder);
    cluster = new SparkCluster(spark);
    await cluster.start();
    client = cluster.client(partitioned);
    expect((await client.nextReply()).executors).toBe(2);
  }, 300_000);
  afterAll(() => {
    client?.stop();
    cluster?.stop();
  });

  it.each(statementObjectives)(
    'prices and plans by %s as the formula does',
    { timeout: 180_000 },
    async (objective) => {
      const rows = (statement: string) => client.rows(statement);
      await expectAgreement({ dialect: dialects.spark, pages: table, rows }, pages, objective, 6000);
    },
  );

  it('finds the rates of a log', { timeout: 400_000 }, async () => {
    await expectRates(dialects.spark, logQuery(dialects.spark), (statement) => client.rows(statement));
  });

  it('lets hosts pay prices of their own', { timeout: 180_000 }, async () => {
    const rows = (statement: string) => client.rows(statement);
    await expectHostPrices({ dialect: dialects.spark, pages: table, rows }, pages);
  });

  it('loses nothing when a worker is lost in the midst of a histogram', { timeout: 180_000 }, async () => {
    // as many copies of the pages as keep both workers busy until Spark says so
    let times = 250;
    for (let isRunning = false; !isRunning; ) {
      times *= 4;
      const from = `(SELECT p.* FROM pages p CROSS JOIN RANGE(${times}))`;
      const question = { pages: { ...table, from }, objective: 'freshness', width: 0.1, groupBy: undefined } as const;
      client.ask(histogramStatement(dialects.spark, question), true);
      const reply = await client.nextReply();
      expect(reply.error).toBeUndefined();
      isRunning = reply.running === true;
    }
    cluster.loseWorker();
    const { rows, error, executors } = await client.nextReply();
    expect(error).toBeUndefined();
    expect(executors).toBe(1);
    const sum = (name: string): number => (rows ?? []).reduce((total, row) => total + Number(row[name]), 0);
    expect(sum('pages')).toBe(times * pages.length);
    const changes = pages.reduce((total, { changeRate }) => total + changeRate, 0);
    expect(Math.abs(sum('changeRate') / (times * changes) - 1)).toBeLessThan(1e-9);
  });
});
