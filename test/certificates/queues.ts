/** Certificates of queues, of problems and answers as solvers have them: what is wrong, in sentences. */
import * as count from '../../src/certificates/crawler-count.ts';
import { Findings } from '../../src/certificates/findings.ts';
import * as simulation from '../../src/certificates/simulations-queue.ts';
import * as threshold from '../../src/certificates/threshold-policy.ts';
import { objectAt, type WireObject } from '../../src/certificates/wire.ts';

const faultsBy =
  <Problem>(certify: (problem: Problem, answer: WireObject, findings: Findings) => void) =>
  (problem: Problem, answer: unknown): readonly string[] => {
    const findings = new Findings();
    certify(problem, objectAt(answer), findings);
    return findings.faults;
  };

export const certifyCrawlerCount = faultsBy(count.certifyCrawlerCount);
export const certifyQueueSimulation = faultsBy(simulation.certifyQueueSimulation);
export const certifyThresholdPolicy = faultsBy(threshold.certifyThresholdPolicy);
