/** A plan that is asked how few fetches will do, and what it says of them. */
import type { Objective } from '../../answer.ts';
import type { AskedTarget, CurvePoint, TargetMet, TargetMissed } from '../../pages/targets/index.ts';
import type { CrawlPlanAnswer, PlanRepair } from '../problem.ts';

/** A page on which the number hangs: by how many crawls the interval of its rate moves it. */
export interface HangsOn {
  readonly page: number;
  readonly crawls: number;
}

export interface NeededCrawls {
  /** Crawls in the interval, whole, and what fewer cannot do for ever. */
  readonly objective: Objective;
  /** Crawls a second, before rounding up. */
  readonly crawlRate: number;
  /** What the rates' intervals make of the crawls; null where all rates are known, or nothing bounds them. */
  readonly interval: readonly [number, number | null] | null;
  readonly hangsOn: readonly HangsOn[];
  readonly met: TargetMet;
  readonly curve: readonly CurvePoint[];
}

export interface PlanMissed {
  readonly missed: TargetMissed;
  /** What one more fetch there saves of what is left; 0 where none binds. */
  readonly minInterval: { readonly price: number };
  readonly windows: {
    readonly price: number;
    /** The host whose windows they are; −1: those of all pages. */
    readonly host: number;
    /** Longest closed time, in seconds. */
    readonly longest: number;
    /** By what the closed times would have to be shortened; null where that does not help. */
    readonly factor: number | null;
  };
  /** What keeps the target, tried: the smallest change first. */
  readonly repairs: readonly TargetRepair[];
}

/** A change after which the target is kept. */
export interface TargetRepair {
  /** Less is asked for, or what gives way: hosts' limits, the least intervals, windows, or all of these. */
  readonly kind: 'less' | 'hosts' | 'minInterval' | 'windows' | 'everything';
  /** Whose limits, by position. */
  readonly hosts: readonly number[];
  /** The factor; of less how far beside what can be reached: 1 is the least that is easily kept. */
  readonly by: number;
  /** What must change beside it, for pages that are late. */
  readonly also: PlanRepair;
}

/** @property asked with the scales of the pages, by their rates as they were found */
export type PlanTargetAnswer = { readonly asked: AskedTarget } & (
  | {
      readonly status: 'planned';
      readonly plan: CrawlPlanAnswer;
      /** Whether the plan weighs classes by their prices: its sums over pages are then not those of the weights. */
      readonly reweighted: boolean;
      readonly needed: NeededCrawls;
    }
  | (PlanMissed & { readonly status: 'missed' })
);
