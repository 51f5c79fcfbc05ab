/** Suggestions for a misspelt name, by edit distance. */

/** Damerau-Levenshtein distance (optimal string alignment). Time O(|a|·|b|). */
function editDistance(a: string, b: string): number {
  let previousRow: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = last[j - 1] + Number(a[i - 1] !== b[j - 1]);
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, substitution);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j], previousRow[j - 2] + 1);
    }
    previousRow = last;
    last = row;
  }
  return last[b.length];
}

/** Longest word compared. */
const longestWord = 60;

/** The names close to a word, closest first; empty if none is close. */
export function suggestions(word: string, names: readonly string[]): string[] {
  if (word.length > longestWord) return [];
  const maxDistance = Math.max(2, Math.floor(word.length / 3));
  return names
    .map((name) => {
      // `change-rates` for `estimates/change-rates`.
      const short = name.replace(/^.*\//, '');
      const distance = Math.min(editDistance(word, name), editDistance(word, short));
      const part = word.length >= 3 && (name.includes(word) || word.includes(short));
      return { name, distance: part ? Math.min(distance, 1) : distance };
    })
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** `did you mean changeRate?` for an unknown name; empty if no name is close. */
export function didYouMean(word: string, names: readonly string[]): string {
  const [nearest] = suggestions(word, names);
  return nearest === undefined ? '' : `did you mean ${nearest}?`;
}
