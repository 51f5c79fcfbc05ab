/** JSON or a command as text: copied with a click, saved as a file, the middle of the very long left out of sight. */
import { useMemo, useState } from 'preact/hooks';
import { saveFile } from '../pictures/frame/save-file.ts';

const shownCharacters = 60_000;

interface CodeProps {
  readonly label: string;
  readonly value: unknown;
  /** What to show instead of the JSON of the value. */
  readonly text?: string;
  readonly file: string;
}

export function Code({ label, value, text, file }: CodeProps) {
  const [copied, setCopied] = useState(false);
  const json = useMemo(() => JSON.stringify(value, null, 2), [value]);
  const whole = text ?? json;
  const shown = whole.length > shownCharacters ? `${whole.slice(0, shownCharacters)}\n…` : whole;
  const lines = Math.min(34, shown.split('\n').length);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(whole);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  const save = (): void => {
    saveFile(file, typeof value === 'string' ? value : json, 'text/plain;charset=utf-8');
  };
  return (
    <div class="source">
      <div class="source-actions">
        <button type="button" class="quiet" onClick={() => copy().catch(() => setCopied(false))}>
          {copied ? 'copied' : 'copy'}
        </button>
        <button type="button" class="quiet" onClick={save}>
          save {file}
        </button>
      </div>
      <textarea class="code" readOnly aria-label={label} data-source={label} value={shown} rows={lines} />
      {shown.length < whole.length ? <p class="about">The rest is in the file: save it to see all of it.</p> : null}
    </div>
  );
}
