/**
 * Certificates of queues, of problems and answers as solvers have them, and what the measures of any queue keep besides:
 * what is wrong, in sentences.
 */
import * as count from '../../src/certificates/crawler-count.ts';
import { Findings } from '../../src/certificates/findings.ts';
import * as simulation from '../../src/certificates/simulations-queue.ts';
import * as threshold from '../../src/certificates/threshold-policy.ts';
import { isObject, readList, readObject, type WireObject } from '../../src/certificates/wire.ts';
import { createLaw, type Distribution } from '../../src/solvers/laws/index.ts';

const faultsBy =
  <Problem>(certify: (problem: Problem, answer: WireObject, findings: Findings) => void) =>
  (problem: Problem, answer: unknown): readonly string[] => {
    const findings = new Findings();
    certify(problem, readObject(answer), findings);
    return findings.faults;
  };

type CountProblem = Parameters<typeof count.certifyCrawlerCount>[0];

/** Every page that enters is indexed: λN·(1 − P(full)) = μ·(1 − P(empty)). */
function checkFlow({ crawlerRate, service }: { crawlerRate: number; service: Distribution }, findings: Findings) {
  return (reported: WireObject): void => {
    const [crawlers, empty, full] = ['crawlers', 'starvationProbability', 'lossProbability'].map((name) =>
      Number(reported[name]),
    );
    const throughput = (1 - empty) / createLaw(service).mean;
    const rate = crawlers * crawlerRate;
    findings.compare('throughput', rate * (1 - full), throughput, { size: rate });
    findings.compare('throughput', reported.throughput, throughput, { size: rate });
  };
}

export const certifyCrawlerCount = faultsBy((problem: CountProblem, answer, findings) => {
  count.certifyCrawlerCount(problem, answer, findings);
  const check = checkFlow(problem, findings);
  if (isObject(answer.solution)) check(answer.solution);
  for (const each of readList(answer, 'evaluation', true)) check(readObject(each));
});

export const certifyQueueSimulation = faultsBy(simulation.certifyQueueSimulation);

type ThresholdProblem = Parameters<typeof threshold.certifyThresholdPolicy>[0];

/** Pages are lost, expire or are indexed, and Little's law holds; times are sums of very different magnitudes. */
function checkMeasures(measures: WireObject, findings: Findings): void {
  const of = (name: string): number => Number(measures[name] ?? 0);
  const expired = of('obsolescenceProbability');
  findings.compare('lossProbability', of('lossProbability'), 1 - expired - of('successProbability'), { size: 1 });
  const times = of('successProbability') * of('responseTime') + expired * of('obsoleteSojournTime');
  findings.compare('sojournTime', of('sojournTime'), times, { tolerance: 1e-8 });
  findings.compare('queueLength', of('queueLength'), of('arrivalRate') * of('sojournTime'), { tolerance: 1e-8 });
}

export const certifyThresholdPolicy = faultsBy((problem: ThresholdProblem, answer, findings) => {
  threshold.certifyThresholdPolicy(problem, answer, findings);
  for (const policy of [answer.solution, answer.evaluation])
    if (isObject(policy)) checkMeasures(readObject(policy, 'measures'), findings);
});
