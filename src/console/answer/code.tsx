/** JSON or a command as text, with buttons that copy and save it; of a very long text the middle is not displayed. */
import { useMemo, useState } from 'preact/hooks';
import type { Answer } from '../api/answer.ts';
import { isRecord } from '../api/json.ts';
import { spellName } from '../contract/meaning.ts';
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
  const [isCopied, setCopied] = useState(false);
  const json = useMemo(() => JSON.stringify(value, null, 2), [value]);
  const whole = text ?? json;
  const excerpt = whole.length > shownCharacters ? `${whole.slice(0, shownCharacters)}\n…` : whole;
  const lines = Math.min(34, excerpt.split('\n').length);
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
          {isCopied ? 'copied' : 'copy'}
        </button>
        <button type="button" class="quiet" onClick={save}>
          save {file}
        </button>
      </div>
      <textarea class="code" readOnly aria-label={label} data-source={label} value={excerpt} rows={lines} />
      {excerpt.length < whole.length ? <p class="about">The rest is in the file: save it to see all of it.</p> : null}
    </div>
  );
}

interface Text {
  readonly name: string;
  readonly text: string;
}

const maxTextDepth = 3;

/** The strings inside a value that have several lines, such as SQL, each with its path. */
function textsBelow(value: unknown, path: readonly string[]): Text[] {
  if (typeof value === 'string')
    return value.includes('\n') ? [{ name: path.map(spellName).join(', '), text: value }] : [];
  if (!isRecord(value) || path.length >= maxTextDepth) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsBelow(inner, [...path, name]));
}

/** The strings of an answer that have several lines. */
export const textsOf = (answer: Answer): readonly Text[] => textsBelow(answer, []);

export function Texts({ answer }: { answer: Answer }) {
  const texts = textsOf(answer);
  return (
    <>
      {texts.map(({ name, text }) => (
        <figure key={name} class="wide text-of-answer" data-text={name}>
          <figcaption>
            <h3>{name}</h3>
          </figcaption>
          <Code label={name} value={text} text={text} file={`${name.replaceAll(/\W+/g, '-')}.txt`} />
        </figure>
      ))}
    </>
  );
}
