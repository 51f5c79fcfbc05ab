import type { Distribution } from '../../laws/index.ts';

/** The pages' processes as crawl-allocation takes them, in rows or in its columns, which have no uniform gaps. */
export function processColumns(form: 'rows' | 'columns', laws: readonly Distribution[]) {
  const changeRate = laws.map((law) => (law.type === 'exponential' ? law.rate : undefined));
  if (form === 'rows') return { columns: { changeRate, updates: laws.map(processOf) }, evened: [] };
  const shown = laws.map((law) => (law.type === 'uniform' ? gammaLike(law) : law));
  const cell = (name: string): Float64Array =>
    Float64Array.from(shown, (law) => Number(Object.entries(law).find(([key]) => key === name)?.[1] ?? Number.NaN));
  const process = shown.map(({ type }) => (type === 'exponential' ? 'poisson' : type));
  const numbers = {
    changeRate: Float64Array.from(changeRate, (rate) => rate ?? Number.NaN),
    rate: cell('rate').map((rate, i) => (shown[i].type === 'gamma' ? rate : Number.NaN)),
    shape: cell('shape'),
    scale: cell('scale'),
    mu: cell('mu'),
    sigma: cell('sigma'),
  };
  const evened = laws.filter(({ type }) => type === 'uniform').length;
  const detail = `${evened} pages keep to a period with jitter, which the columns of crawl-allocation do not have: they are told as gamma gaps of the same mean and variance; send rows for the law itself`;
  return { columns: { process, ...numbers }, evened: evened > 0 ? [{ code: 'periodic-as-gamma', detail }] : [] };
}

function gammaLike({ min, max }: Extract<Distribution, { type: 'uniform' }>): Distribution {
  const mean = (min + max) / 2;
  const shape = (12 * mean * mean) / (max - min) ** 2;
  return { type: 'gamma', shape, rate: shape / mean };
}

const processOf = (law: Distribution) =>
  law.type === 'exponential' ? undefined : { type: 'renewal' as const, distribution: law };
