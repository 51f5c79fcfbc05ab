/**
 * Several crawlers that share the pages: how often and in which order each accesses its own (one crawler:
 * access-frequencies).
 */
export {
  solveTeamFrequencies,
  type TeamFrequencies,
  type TeamFrequenciesAnswer,
  type TeamFrequenciesProblem,
} from './team-frequencies.ts';
export {
  solveTeamSequences,
  type TeamSequences,
  type TeamSequencesAnswer,
  type TeamSequencesProblem,
} from './team-sequences.ts';
