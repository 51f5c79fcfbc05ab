/**
 * Several crawlers that share the pages: how often and in which order each accesses its own (one crawler:
 * access-frequencies).
 */
export {
  solveTeamFrequencies,
  type TeamFrequenciesProblem,
} from './team-frequencies.ts';
export {
  solveTeamSequences,
  type TeamSequencesProblem,
} from './team-sequences.ts';
