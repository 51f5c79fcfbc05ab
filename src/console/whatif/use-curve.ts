/**
 * The curve behind the lever: the answer at some of its stops, asked for one after the other while nothing else runs.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, AnswerView } from '../api/answer.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import { solveWithRetries } from '../api/service.ts';
import type { Question } from '../contract/catalogue.ts';
import { equalExcept, withValue } from '../request/pointer.ts';
import { type Lever, type Measure, measureOf } from './levers.ts';

const pointCount = 9;
/** A curve takes nine solves: where one took longer than this (ms), the reader has to start it. */
export const maxAutomaticSolveMs = 600;
/** Time without an edit after which the curve is started, ms. */
const pauseMs = 600;

/** Marks a stop at which the request is refused; the curve has no point there. */
const noPoint = undefined;

/** A stop and the measure at that stop; NaN where there is no solution. */
interface Point {
  readonly value: number;
  readonly amount: number;
}

export interface Curve {
  /** The lever at the start of the curve: its stops stay while the slider moves. */
  readonly lever: Lever;
  readonly measure: Measure;
  readonly points: readonly Point[];
  readonly complete: boolean;
  /** Starts a curve that is not started automatically because it is slow. */
  readonly draw: () => void;
}

interface CurveRun {
  readonly request: JsonObject;
  readonly lever: Lever;
  measure?: Measure | undefined;
  readonly points: Map<number, number | typeof noPoint>;
  drawRequested: boolean;
}

/** The measure of an answer; NaN where there is no solution. */
const measureAt = ({ measure }: CurveRun, answer: Answer): number =>
  answer.solution && measure ? measure.of(answer) : Number.NaN;

/** The stops that are solved, from the lever's value outwards. */
function curveStops({ stops, value }: Lever): number[] {
  const selection = new Set<number>();
  for (let i = 0; i < pointCount; i++) selection.add(stops[Math.round((i * (stops.length - 1)) / (pointCount - 1))]);
  const distance = (stop: number): number => Math.abs(stops.indexOf(stop) - stops.indexOf(value));
  return [...selection].sort((a, b) => distance(a) - distance(b));
}

/** `lever` is the lever of `request`; no curve is solved if another picture has it already. */
export function useCurve(
  question: Question,
  request: JsonObject,
  lever: Lever | undefined,
  view: AnswerView,
  hasOtherCurve: boolean,
): Curve | null {
  const { name: operation } = question;
  const currentRun = useRef<CurveRun>(undefined);
  const [, redraw] = useState(0);
  const rerender = (): void => redraw((count) => count + 1);
  const { exchange, isSolving, problem, elapsedMs } = view;
  if (lever !== undefined) {
    const previous = currentRun.current;
    const [low, high] = previous
      ? [previous.lever.stops[0], previous.lever.stops[previous.lever.stops.length - 1]]
      : [0, 0];
    const isContinued =
      previous !== undefined &&
      JSON.stringify(previous.lever.path) === JSON.stringify(lever.path) &&
      equalExcept(previous.request, request, lever.path) &&
      lever.value >= low &&
      lever.value <= high;
    if (!isContinued) currentRun.current = { request, lever, points: new Map(), drawRequested: false };
  } else {
    currentRun.current = undefined;
  }
  const run = currentRun.current;
  const currentExchange = exchange && lever && exchange.request === request ? exchange : undefined;
  if (run !== undefined && currentExchange !== undefined && lever !== undefined) {
    run.measure ??= currentExchange.answer.solution ? measureOf(question.answer(), currentExchange.answer) : undefined;
    run.points.set(lever.value, measureAt(run, currentExchange.answer));
  }
  const open = run === undefined || hasOtherCurve ? [] : curveStops(run.lever).filter((stop) => !run.points.has(stop));
  const idle = currentExchange !== undefined && !isSolving && problem === undefined;
  const runs = idle && open.length > 0 && (run?.drawRequested === true || elapsedMs <= maxAutomaticSolveMs);
  useEffect(() => {
    if (!runs || run === undefined) return;
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      for (const stop of open) {
        const next = withValue(run.request, run.lever.path, stop);
        if (!isJsonObject(next)) return;
        const outcome = await solveWithRetries(operation, next, controller.signal);
        run.points.set(stop, outcome.kind === 'answer' ? measureAt(run, outcome.answer) : noPoint);
        rerender();
      }
    };
    const timer = setTimeout(() => ask().catch(() => undefined), run.drawRequested ? 0 : pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [operation, runs, run, run?.drawRequested]);
  if (run?.measure === undefined || lever === undefined) return null;
  const { measure } = run;
  const points = [...run.points]
    .flatMap(([value, amount]) => (amount === noPoint ? [] : [{ value, amount }]))
    .sort((a, b) => a.value - b.value);
  // Where every other stop is refused, the number is no lever.
  if (open.length === 0 && points.length < 2 && !hasOtherCurve) return null;
  const draw = (): void => {
    run.drawRequested = true;
    rerender();
  };
  return { lever: { ...run.lever, value: lever.value }, measure, points, complete: open.length === 0, draw };
}
