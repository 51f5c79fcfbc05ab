/** A list of words out of a few: a box to tick for each. */
import type { Json } from '../api/json.ts';

interface WordsInputProps {
  readonly input: string;
  readonly described: string;
  readonly invalid: boolean;
  readonly words: readonly string[];
  readonly value: Json | undefined;
  readonly onChange: (next: Json | undefined) => void;
}

export function WordsInput({ input, described, invalid, words, value, onChange }: WordsInputProps) {
  const chosen = Array.isArray(value) ? value : [];
  const turn = (word: string, on: boolean): void => {
    const next = words.filter((each) => (each === word ? on : chosen.includes(each)));
    onChange(next.length === 0 ? undefined : next);
  };
  return (
    <fieldset class="words" id={input} aria-describedby={described} aria-invalid={invalid}>
      {words.map((word) => (
        <label key={word}>
          <input
            type="checkbox"
            checked={chosen.includes(word)}
            onChange={({ currentTarget }) => turn(word, currentTarget.checked)}
          />{' '}
          {word}
        </label>
      ))}
    </fieldset>
  );
}
