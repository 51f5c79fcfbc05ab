/** Whether an answer has been checked here, in the reader's browser, by code that shares nothing with the solver. */
import { useEffect, useState } from 'preact/hooks';
import type { Answered } from '../api/answered.ts';

/** A check that takes longer than this is given up. */
const longestMs = 30_000;
const mostFaults = 3;

/** What a check has found wrong; undefined where there is nothing to say. */
type Found = readonly string[] | undefined;

/** Calls back with what is wrong with the answer; returns how to give the check up. */
function check(operation: string, { request, answer }: Answered, done: (found: Found) => void): () => void {
  const worker = new Worker(new URL('./checker.ts', import.meta.url), { type: 'module' });
  const late = setTimeout(() => {
    worker.terminate();
    done(undefined);
  }, longestMs);
  const end = (): void => {
    clearTimeout(late);
    worker.terminate();
  };
  worker.onmessage = ({ data }: MessageEvent<Found>) => {
    end();
    done(data);
  };
  worker.onerror = (event) => {
    end();
    done([`the check itself failed: ${event.message}`]);
  };
  worker.postMessage({ operation, request, answer });
  return end;
}

export function Checked({ operation, answered }: { operation: string; answered: Answered }) {
  const [faults, setFaults] = useState<Found>();
  const { answer, request } = answered;
  useEffect(() => {
    setFaults(undefined);
    if (answer.solution !== undefined) return check(operation, { request, answer, extras: new Map() }, setFaults);
    return undefined;
  }, [operation, request, answer]);
  if (faults === undefined) return null;
  if (faults.length === 0) {
    return (
      <p class="checked" data-checked="fine">
        ✓ Checked in your browser, by code that shares nothing with the solver
      </p>
    );
  }
  return (
    <p class="checked wrong" role="alert" data-checked="wrong">
      ✗ The check in your browser disagrees: {faults.slice(0, mostFaults).join('; ')}
      {faults.length > mostFaults ? ` and ${faults.length - mostFaults} more` : ''}
    </p>
  );
}
