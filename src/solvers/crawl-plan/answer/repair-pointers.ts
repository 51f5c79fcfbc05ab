/** Where in a request the changes of a plan's repair are made. */
import type { PlanRepair } from '../problem.ts';

interface Repair {
  readonly detail: string;
  readonly changes: readonly {
    readonly pointer: string;
    readonly value?: number | undefined;
    readonly factor?: number;
  }[];
}

/** What a request says of its limits, by where it says so. */
export interface RequestedLimits {
  readonly crawlers?: readonly { readonly slots: number }[] | undefined;
  readonly hosts?: readonly RequestedHost[] | undefined;
  readonly maxInterval?: number | undefined;
  readonly minInterval?: number | undefined;
  readonly windows?: unknown;
}

interface RequestedHost {
  readonly host: string;
  readonly minDelay: number;
  readonly maxRate?: number | undefined;
  readonly windows?: unknown;
}

type Change = Repair['changes'][number];

export function repairsAt(
  { crawlers, hosts = [], maxInterval }: RequestedLimits,
  repairs: readonly PlanRepair[],
): Repair[] {
  const changesOf = ({ change, factor, to, host }: PlanRepair['changes'][number]): readonly Change[] => {
    const value = to ?? undefined;
    switch (change) {
      case 'maxInterval': {
        const ofPages = { pointer: '/pages/*/maxInterval', factor };
        return maxInterval === undefined ? [ofPages] : [{ pointer: '/maxInterval', factor }, ofPages];
      }
      case 'crawls':
        if (crawlers === undefined) return [{ pointer: '/crawls', value }];
        return crawlers.map(({ slots }, c) => ({ pointer: `/crawlers/${c}/slots`, value: Math.ceil(slots * factor) }));
      case 'minDelay':
      case 'maxRate':
        return [{ pointer: `/hosts/${hosts.findIndex((each) => each.host === host)}/${change}`, value }];
    }
  };
  return repairs.map(({ detail, changes }) => ({ detail, changes: changes.flatMap(changesOf) }));
}
