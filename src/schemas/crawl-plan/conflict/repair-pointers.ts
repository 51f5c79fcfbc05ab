/** Where in a request the changes of a plan's repair are made. */
import type { PlanRepair } from '../../../solvers/crawl-plan/index.ts';
import type { WireRequest } from '../wire-request.ts';

/** What a repair's pointers depend on. */
export type RepairedRequest = Pick<WireRequest, 'crawlers' | 'hosts' | 'maxInterval' | 'minInterval' | 'windows'>;

interface Change {
  readonly pointer: string;
  readonly value?: number | undefined;
  readonly factor?: number | undefined;
}

export function repairsAt({ crawlers, hosts = [], maxInterval }: RepairedRequest, repairs: readonly PlanRepair[]) {
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
      case 'spending':
        return [{ pointer: '/spending', value }];
      case 'minDelay':
      case 'maxRate':
        return [{ pointer: `/hosts/${hosts.findIndex((each) => each.host === host)}/${change}`, value }];
    }
  };
  return repairs.map(({ detail, changes }) => ({ detail, changes: changes.flatMap(changesOf) }));
}
