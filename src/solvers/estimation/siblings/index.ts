export { type CoveringCheck, type GroupedPages, SiblingLog } from './sibling-log.ts';
export { type GroupStrengths, groupStrengths } from './strength.ts';
