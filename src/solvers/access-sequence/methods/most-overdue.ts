/**
 * Most overdue first: at every step the page with the largest (age + ½) × count.
 *
 * The half step gives frequent pages back what they lose by waiting for whole steps. A page whose accesses in the cycle
 * are used up waits for the next cycle, so that the cycle has exactly the given counts.
 *
 * Pages with equal counts form one queue (a line): its head, the longest waiting page, is the most overdue, and is then
 * put at the end. A cycle of K has at most √(2K) different counts, so a step costs O(lines), not O(N).
 * The first pass starts from staggered ages. Each further pass starts from the ages its predecessor left, so that the
 * end of the cycle joins its beginning. Ties go to the line with the larger count.
 */
import type { Poll } from '../../budget.ts';

/** Passes over the cycle, the last of which is returned. */
const passes = 2;
/** Added to every age, in accesses. */
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
 * The cycle of each pass, the last the best as a rule.
 *
 * @param counts accesses of each page, summing to `cycle`
 * @throws NothingToReturn when `poll` says so
 */
export function* mostOverdue(counts: Uint32Array, cycle: number, poll: Poll): Generator<Uint32Array> {
  const { count, begin, members } = linesOf(counts);
  const lines = count.length;
  const last = new Float64Array(members.length);
  const head = begin.slice(0, lines);
  const remainingCounts = new Float64Array(lines);
  // score of a line at step t: (t − oldest)·count, where `oldest` is the last access of the head of the line
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
