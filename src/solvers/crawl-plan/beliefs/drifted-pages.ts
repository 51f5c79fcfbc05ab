/**
 * Pages whose rates drift, beside those whose rates are given, as plain data and as the refresh model that this is:
 * another thread works with the same.
 */
import { DriftingRate, type DriftParts, type RateModel } from '../../estimation/changes/drifting-rate.ts';
import { type ObjectiveName, stalenessCost } from '../../objectives/index.ts';
import { AgeIndex } from './age-index.ts';
import { driftingRates, eitherModel, knownRates, type RefreshModel } from './refresh-model.ts';
import { WorthCells } from './worth-cells.ts';

/** Lists by page. */
export interface DriftedPages {
  readonly model: DriftParts;
  /** Ages that the index is to reach from and to. */
  readonly ages: readonly [youngest: number, oldest: number];
  /** Row-major, pages × grid. */
  readonly beliefs: Float64Array;
  /** Where each page was looked at last, which saves search and changes nothing. */
  readonly position: Int32Array;
  readonly rates: DriftTerms;
}

/** What the model takes besides beliefs; lists by page. */
export interface DriftTerms {
  readonly weight: Float64Array;
  readonly rate: Float64Array;
  /** 1 where `rate` is given. */
  readonly known: Uint8Array;
  readonly objective: ObjectiveName;
  /** The age that stands for a page never fetched. */
  readonly unseenAge: number;
}

/** The refresh model of beliefs that drift by `model`. */
export function driftedModel(model: RateModel, cells: WorthCells, terms: DriftTerms): RefreshModel {
  const { weight, rate, known, objective, unseenAge } = terms;
  const fixed = knownRates(rate, weight, (i) => [rate[i], rate[i]], { cost: stalenessCost(objective), unseenAge });
  return eitherModel(known, fixed, driftingRates(model, cells, weight, unseenAge));
}

/** The refresh model that was told as plain data. */
export function modelOf({ model: parts, ages, beliefs, position, rates }: DriftedPages): RefreshModel {
  const model = DriftingRate.of(parts);
  const index = new AgeIndex(model, ages[0], ages[1], stalenessCost(rates.objective));
  const cells = new WorthCells(index, beliefs, position.length);
  cells.position.set(position);
  return driftedModel(model, cells, rates);
}
