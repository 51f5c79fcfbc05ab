/**
 * The curve behind the lever: the answer at some of its stops, asked for one after the other while nothing else runs.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Shown } from '../api/answer.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import { solvePatiently } from '../api/solve.ts';
import type { Question } from '../contract/catalogue.ts';
import { sameBut, withValue } from '../request/pointer.ts';
import { type Lever, type Watched, watchedOf } from './levers.ts';

const pointsAsked = 9;
/** A curve takes nine solves: where one took longer than this (ms), the reader has to start it. */
export const quickMs = 600;
/** Pause of the reader (ms) after which the curve is started. */
const pauseMs = 600;

/** Stands for what is watched where the request is refused: it is no point of the curve. */
const refused = undefined;

/** A stop, and what is watched there: NaN where there is no solution. */
interface Point {
  readonly value: number;
  readonly watched: number;
}

export interface Curve {
  /** The lever as the curve was begun: its stops stay while it is turned. */
  readonly lever: Lever;
  readonly watched: Watched;
  readonly points: readonly Point[];
  readonly complete: boolean;
  /** Draws a curve that would take its time. */
  readonly draw: () => void;
}

interface Begun {
  readonly request: JsonObject;
  readonly lever: Lever;
  watched?: Watched | undefined;
  readonly points: Map<number, number | typeof refused>;
  drawRequested: boolean;
}

/** What is watched of an answer; NaN where there is no solution. */
const watchedAt = ({ watched }: Begun, answer: Answer): number =>
  answer.solution && watched ? watched.of(answer) : Number.NaN;

/** The stops asked about, from the lever's value outwards. */
function chosenStops({ stops, value }: Lever): number[] {
  const chosen = new Set<number>();
  for (let i = 0; i < pointsAsked; i++) chosen.add(stops[Math.round((i * (stops.length - 1)) / (pointsAsked - 1))]);
  const distance = (stop: number): number => Math.abs(stops.indexOf(stop) - stops.indexOf(value));
  return [...chosen].sort((a, b) => distance(a) - distance(b));
}

/** `lever` is that of `request` as it stands; a curve that is drawn elsewhere is not asked for. */
export function useCurve(
  question: Question,
  request: JsonObject,
  lever: Lever | undefined,
  shown: Shown,
  elsewhere: boolean,
): Curve | null {
  const { name: operation } = question;
  const begun = useRef<Begun>(undefined);
  const [, redraw] = useState(0);
  const again = (): void => redraw((count) => count + 1);
  const { answered, solving, problem, elapsedMs } = shown;
  if (lever !== undefined) {
    const before = begun.current;
    const [low, high] = before ? [before.lever.stops[0], before.lever.stops[before.lever.stops.length - 1]] : [0, 0];
    const goesOn =
      before !== undefined &&
      JSON.stringify(before.lever.path) === JSON.stringify(lever.path) &&
      sameBut(before.request, request, lever.path) &&
      lever.value >= low &&
      lever.value <= high;
    if (!goesOn) begun.current = { request, lever, points: new Map(), drawRequested: false };
  } else {
    begun.current = undefined;
  }
  const now = begun.current;
  const here = answered && lever && answered.request === request ? answered : undefined;
  if (now !== undefined && here !== undefined && lever !== undefined) {
    now.watched ??= here.answer.solution ? watchedOf(question.answer(), here.answer) : undefined;
    now.points.set(lever.value, watchedAt(now, here.answer));
  }
  const open = now === undefined || elsewhere ? [] : chosenStops(now.lever).filter((stop) => !now.points.has(stop));
  const idle = here !== undefined && !solving && problem === undefined;
  const runs = idle && open.length > 0 && (now?.drawRequested === true || elapsedMs <= quickMs);
  useEffect(() => {
    if (!runs || now === undefined) return;
    const leaving = new AbortController();
    const ask = async (): Promise<void> => {
      for (const stop of open) {
        const next = withValue(now.request, now.lever.path, stop);
        if (!isJsonObject(next)) return;
        const outcome = await solvePatiently(operation, next, leaving.signal);
        now.points.set(stop, outcome.kind === 'answer' ? watchedAt(now, outcome.answer) : refused);
        again();
      }
    };
    const timer = setTimeout(() => ask().catch(() => undefined), now.drawRequested ? 0 : pauseMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [operation, runs, now, now?.drawRequested]);
  if (now?.watched === undefined || lever === undefined) return null;
  const { watched } = now;
  const points = [...now.points]
    .flatMap(([value, found]) => (found === refused ? [] : [{ value, watched: found }]))
    .sort((a, b) => a.value - b.value);
  // A number that the rest of the request allows no other value is no lever.
  if (open.length === 0 && points.length < 2 && !elsewhere) return null;
  const draw = (): void => {
    now.drawRequested = true;
    again();
  };
  return { lever: { ...now.lever, value: lever.value }, watched, points, complete: open.length === 0, draw };
}
