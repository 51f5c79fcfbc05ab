/** A value that has no control of its own, as JSON; what does not parse stays a draft. */
import { useState } from 'preact/hooks';
import type { Json } from '../api/json.ts';

export function JsonInput({
  input,
  described,
  invalid,
  value,
  onChange,
}: {
  input: string;
  described: string;
  invalid: boolean;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}) {
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
