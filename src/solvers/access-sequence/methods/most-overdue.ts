/**
 * Most overdue first: at every step the page with the largest (age + ½) × count.
 *
 * The ½ compensates frequent pages for the rounding of their gaps to whole steps. A page that has had all its accesses
 * of the cycle waits for the next cycle, so that the cycle has exactly the given counts.
 *
 * Pages with equal counts form one queue (a line). The head of a line, the page that has waited longest, is its most
 * overdue page, and moves to the end when it is accessed. A cycle of K has at most √(2K) different counts, so that a
 * step costs O(lines), not O(N). The first pass starts from staggered ages, each further pass from the ages at the end
 * of the pass before, so that the end of the cycle fits its beginning. Ties go to the line with the larger count.
 */
import type { Poll } from '../../budget.ts';

/** Number of passes over the cycle. */
const passes = 2;
/** Constant added to every age, in accesses. */
const lead = 0.5;

/** Lines of pages with equal counts. */
interface Lines {
  /** Count of each line, decreasing. */
  readonly count: Float64Array;
  /** Where each line begins in `members`; one entry more than lines. */
  readonly begin: Uint32Array;
  readonly members: Uint32Array;
}

function linesOf(counts: Uint32Array): Lines {
  const present: number[] = [];
  for (let i = 0; i < counts.length; i++) if (counts[i] > 0) present.push(i);
  const members = Uint32Array.from(present);
  members.sort((i, j) => counts[j] - counts[i] || i - j);
  const count: number[] = [];
  const begin: number[] = [];
  for (let k = 0; k < members.length; k++) {
    if (k > 0 && counts[members[k]] === counts[members[k - 1]]) continue;
    count.push(counts[members[k]]);
    begin.push(k);
  }
  begin.push(members.length);
  return { count: Float64Array.from(count), begin: Uint32Array.from(begin), members };
}

/**
 * The cycle of each pass; the last one is mostly the best.
 *
 * @param counts accesses of each page, summing to `cycle`
 * @throws NothingToReturn from `poll`, when the budget ends
 */
export function* mostOverdue(counts: Uint32Array, cycle: number, poll: Poll): Generator<Uint32Array> {
  const { count, begin, members } = linesOf(counts);
  const lines = count.length;
  const last = new Float64Array(members.length);
  const head = begin.slice(0, lines);
  const remainingCounts = new Float64Array(lines);
  // the score of a line at step t is (t + lead − oldest)·count, with `oldest` the last access of the head of the line
  const oldest = new Float64Array(lines);
  for (let line = 0; line < lines; line++) {
    const size = begin[line + 1] - begin[line];
    for (let k = 0; k < size; k++) last[begin[line] + k] = -(cycle / count[line]) * (1 - (k + 0.5) / size);
  }
  for (let pass = 0; pass < passes; pass++) {
    const sequence = new Uint32Array(cycle);
    for (let line = 0; line < lines; line++) {
      remainingCounts[line] = count[line] * (begin[line + 1] - begin[line]);
      oldest[line] = last[head[line]];
    }
    for (let t = 0; t < cycle; t++) {
      poll(lines);
      let chosenLine = -1;
      let highest = -Infinity;
      for (let line = 0; line < lines; line++) {
        const score = (t + lead - oldest[line]) * count[line];
        if (score > highest && remainingCounts[line] > 0) {
          highest = score;
          chosenLine = line;
        }
      }
      const place = head[chosenLine];
      sequence[t] = members[place];
      last[place] = t;
      remainingCounts[chosenLine]--;
      head[chosenLine] = place + 1 === begin[chosenLine + 1] ? begin[chosenLine] : place + 1;
      oldest[chosenLine] = last[head[chosenLine]];
    }
    for (let k = 0; k < last.length; k++) last[k] -= cycle;
    yield sequence;
  }
}
