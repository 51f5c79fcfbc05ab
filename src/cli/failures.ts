/** Exit codes of the commands, and the errors that end them. */

export const exitCodes = {
  answered: 0,
  infeasible: 1,
  refused: 2,
  timeLimit: 3,
  internal: 4,
  /** Only with --strict. */
  notProved: 5,
} as const;

/** The command line cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command line is valid, but a file that it names cannot be read. */
export class UnreadableInput extends UsageError {}

/** Standard output could not be written, or only in part. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}
