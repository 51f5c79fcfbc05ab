/** The problem and the answer of a simulation. */
import type { Status, Warning } from '../answer.ts';
import type { CrawlersByState, QueueDescription, WrittenPolicy } from '../queue/index.ts';
import type { ActivationQueue } from './activation-queue.ts';
import type { Estimate, MeasureName, ReplicationPlan } from './replications.ts';

/** By queue length, or by queue length and the phases of arrivals and indexing. */
export type SimulatedPolicy = WrittenPolicy | { readonly crawlersByState: CrawlersByState };

export type QueueSimulationProblem = ReplicationPlan &
  (
    | ({ readonly queue: 'activation-policy' } & ActivationQueue)
    | { readonly queue: 'threshold-policy'; readonly description: QueueDescription; readonly policy: SimulatedPolicy }
  );

/** The answer, in the contract's own shape. */
export interface QueueSimulationAnswer {
  readonly status: Status;
  readonly solution: {
    /** Null where fewer than two replications had a value. */
    readonly measures: Partial<Readonly<Record<MeasureName, Estimate | null>>>;
  };
  readonly supplement: Record<never, never>;
  readonly warnings: readonly Warning[];
  readonly statistics: {
    readonly solver: string;
    readonly replications: number;
    readonly events: number;
    readonly pages: number;
  };
}
