/** `pilot verdict`: what the probes say so far; `pilot probes`: the request that asks it. */
import { type MadeProbe, type Pilot, probesMade } from '../../logs/pilot.ts';
import { probesIn } from '../../logs/probe-log.ts';
import { counted, figure } from '../../words/numbers.ts';
import { UsageError } from '../arguments.ts';
import { textOf } from '../files/log-text.ts';
import type { LogCommand } from '../log-arguments.ts';
import { loggedFetches, solved } from '../plan-logs.ts';
import { exitCodes } from '../solve-requests.ts';
import { writeOut } from '../write-output.ts';

/** Moments of the past, for the console's pictures. */
const moments = 60;

/** The request for estimates/freshness, for the console or any client. */
export async function writeProbes(pilot: Pilot, command: LogCommand): Promise<number> {
  await writeOut(JSON.stringify({ ...requestOf(pilot, command), history: moments }));
  return exitCodes.answered;
}

export async function judgePilot(pilot: Pilot, command: LogCommand): Promise<number> {
  const outcome = await solved('estimates/freshness', requestOf(pilot, command));
  if (typeof outcome === 'number') return outcome;
  const answer: { readonly summary: string } = JSON.parse(outcome.json);
  await writeOut(command.json ? outcome.json : answer.summary);
  return exitCodes.answered;
}

/** @throws UsageError where no probe was made */
function requestOf(pilot: Pilot, command: LogCommand): object {
  const since = `since ${new Date(1000 * pilot.start).toISOString()}`;
  const noted = probesNoted(command.files);
  const { made, due } = noted === null ? probesMade(pilot, loggedFetches(command)) : { made: noted, due: null };
  const probes = made.filter(({ time }) => time >= pilot.start);
  const ofDue = due === null ? '' : ` of ${figure(due)} due`;
  process.stderr.write(`${counted(probes.length, 'probe')}${ofDue} ${since}.\n`);
  if (probes.length === 0) throw new UsageError('the log has none of the probes that pilot today named');
  const { seed, period, unit } = pilot;
  return { probes, seed, period, unit };
}

/** The probes of files that an integration kept itself; null where the files are crawl logs. */
function probesNoted(files: readonly string[]): readonly MadeProbe[] | null {
  if (files.includes('-')) return null;
  const noted = files.map((file) => probesIn(textOf(file)));
  return noted.every((each) => each !== null) ? noted.flat() : null;
}
