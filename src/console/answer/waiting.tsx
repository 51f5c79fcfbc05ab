/**
 * A solve that runs: how far it is, how long it will still take, the way to stop it. After a stop it shows what can be
 * done.
 */
import { useEffect, useState } from 'preact/hooks';
import { figure } from '../../words/numbers.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import type { Shown } from '../api/shown.ts';
import { withValue } from '../request/pointer.ts';
import { elapsed, percent } from '../words/format.ts';

const tickMs = 500;
/** Before this much is known, an estimate would only jump about. */
const leastEstimatedMs = 800;

/** How long a solve will still take, by how far it is; undefined where that cannot be said yet. */
export function remainingMs(fraction: number | null | undefined, elapsedMs: number): number | undefined {
  if (fraction == null || fraction <= 0.01 || elapsedMs < leastEstimatedMs) return undefined;
  return (elapsedMs * (1 - Math.min(1, fraction))) / fraction;
}

/** A solve that is over this soon needs no word, where an older answer stands meanwhile. */
const unseenMs = 400;

interface WaitingProps {
  readonly shown: Shown;
  readonly onStop: () => void;
}

export function Waiting({ shown, onStop }: WaitingProps) {
  const { answered, progress, startedAt } = shown;
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const fraction = progress?.fraction ?? null;
  const soFar = Math.max(0, now - startedAt);
  if (answered !== undefined && progress === undefined && soFar < unseenMs) return null;
  const remaining = remainingMs(fraction, soFar);
  const parts = [
    fraction === null ? 'solving' : `${percent(fraction, 2)} done`,
    ...(soFar >= 1000 ? [`${elapsed(Math.round(soFar / 1000) * 1000)} so far`] : []),
    ...(remaining === undefined ? [] : [`about ${elapsed(remaining)} to go`]),
    ...(progress?.incumbent == null ? [] : [`best ${figure(progress.incumbent, 6)}`]),
    ...(progress?.bound == null ? [] : [`bound ${figure(progress.bound, 6)}`]),
  ];
  return (
    <div class="waiting">
      <progress {...(fraction === null ? {} : { value: fraction })} max={1} aria-label="solving" />
      <span>{parts.join(' · ')}</span>
      <button type="button" data-stop onClick={onStop}>
        Stop
      </button>
    </div>
  );
}

interface StoppedProps {
  readonly afterMs: number;
  readonly request: JsonObject;
  /** What is shown below: the best found until then, the answer before, or nothing. */
  readonly below: 'best' | 'earlier' | 'nothing';
  readonly onRequest: (request: JsonObject) => void;
  readonly onAgain: () => void;
}

/** What came of a solve that was stopped, and how to have more of it. */
export function Stopped({ afterMs, request, below, onRequest, onAgain }: StoppedProps) {
  // In whole seconds, as people say them.
  const limitMs = 1000 * Math.max(1, Math.ceil(afterMs / 1000));
  const limited = withValue(request, ['options', 'timeLimitMs'], limitMs);
  return (
    <p class="notice" data-stopped>
      <strong>Stopped.</strong>{' '}
      {below === 'best' ? 'Below is the best found until then.' : 'What was found until then cannot be had.'}{' '}
      {below === 'earlier' ? 'The answer below is the one before. ' : ''}
      <button type="button" onClick={onAgain}>
        Solve to the end
      </button>{' '}
      {below === 'best' ? null : (
        <button type="button" data-limited onClick={() => isJsonObject(limited) && onRequest(limited)}>
          Take the best found in {elapsed(limitMs)}
        </button>
      )}
    </p>
  );
}
