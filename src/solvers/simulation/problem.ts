/** A simulation as it is asked for, and what it answers. */
import type { Status, Warning } from '../answer.ts';
import type { CrawlersByState, QueueDescription, WrittenPolicy } from '../threshold-policy/index.ts';
import type { ActivationQueue } from './activation-queue.ts';
import type { ActivationMeasureName, Estimate, QueueMeasureName } from './replications.ts';

/** By queue length, or by queue length and the phases of arrivals and indexing. */
export type SimulatedPolicy = WrittenPolicy | { readonly crawlersByState: CrawlersByState };

interface Extent {
  /** Time units observed in each replication. */
  readonly horizon: number;
  readonly replications: number;
}

export type QueueSimulationProblem = Extent &
  (
    | ({ readonly queue: 'activation-policy' } & ActivationQueue)
    | { readonly queue: 'threshold-policy'; readonly description: QueueDescription; readonly policy: SimulatedPolicy }
  );

export interface QueueSimulationAnswer {
  readonly status: Status;
  /** Null where fewer than two replications had a value. */
  readonly measures: Partial<Readonly<Record<QueueMeasureName | ActivationMeasureName, Estimate | null>>>;
  readonly warnings: readonly Warning[];
  readonly statistics: {
    readonly solver: string;
    readonly replications: number;
    readonly events: number;
    readonly pages: number;
  };
}
