/** Groups of pages that share a limit, and may lie within one another. */

export { GroupPrices } from './group-prices.ts';
export { areNested, around, type HostGroups, insideOut, outsideOf } from './host-groups.ts';
