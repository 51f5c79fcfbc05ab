export {
  cycleLength,
  levelCost,
  type SignalMotion,
  type SignalQuality,
  signalMotion,
} from './signal-cycle.ts';
export { SignalTable } from './signal-table.ts';
export { type SignalEvidence, SignalledHistory } from './signalled-history.ts';
