export {
  cycleLength,
  isSignalObjective,
  levelCost,
  type SignalMotion,
  type SignalObjective,
  type SignalQuality,
  signalMotion,
  signalObjectives,
} from './signal-cycle.ts';
export { SignalTable } from './signal-table.ts';
