/** A value that has no control of its own, as JSON; what does not parse stays a draft. */
import { useState } from 'preact/hooks';
import type { InputProps } from './number-input.tsx';

export function JsonInput({ input, described, invalid, value, onChange }: InputProps) {
  const [draft, setDraft] = useState<string>();
  const written = value === undefined ? '' : JSON.stringify(value);
  return (
    <textarea
      id={input}
      class="code"
      rows={3}
      spellcheck={false}
      aria-describedby={described}
      aria-invalid={invalid || draft !== undefined}
      value={draft ?? written}
      onInput={({ currentTarget }) => {
        const text = currentTarget.value;
        try {
          onChange(text.trim() === '' ? undefined : JSON.parse(text));
          setDraft(undefined);
        } catch {
          setDraft(text);
        }
      }}
    />
  );
}
