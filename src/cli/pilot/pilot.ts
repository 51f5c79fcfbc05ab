/** `pilot start|today|probes|verdict`: a plan tried on half of the pages of a running crawler. */
import { UsageError } from '../arguments.ts';
import type { LogCommand } from '../log-arguments.ts';
import { pilotIn } from './pilot-file.ts';
import { startPilot } from './start.ts';
import { fetchesOfToday } from './today.ts';
import { judgePilot, writeProbes } from './verdict.ts';

/** Does what the command says and returns the exit code. @throws UsageError */
export async function runPilot(step: string | undefined, command: LogCommand): Promise<number> {
  if (step === 'start') return startPilot(command);
  const [file, ...files] = command.files;
  if (files.length === 0) throw new UsageError(`pilot ${step ?? 'start'} needs the file of the pilot, then the log`);
  const pilot = pilotIn(file);
  if (step === 'today') return fetchesOfToday(pilot, { ...command, files });
  if (step === 'probes') return writeProbes(pilot, { ...command, files });
  if (step === 'verdict') return judgePilot(pilot, { ...command, files });
  throw new UsageError(`pilot takes start, today, probes or verdict; got ${JSON.stringify(step ?? '')}`);
}
