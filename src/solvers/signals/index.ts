export {
  cycleCost,
  cycleLength,
  levelCost,
  type SignalMotion,
  type SignalObjective,
  type SignalQuality,
  signalMotion,
} from './signal-cycle.ts';
export { SignalTable } from './signal-table.ts';
