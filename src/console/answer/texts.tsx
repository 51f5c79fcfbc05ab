/** The texts of an answer that are to be used as they stand, such as statements for a database: with a copy button. */
import type { Answer } from '../api/answer.ts';
import { isRecord } from '../api/json.ts';
import { spelled } from '../contract/meaning.ts';
import { Code } from './code.tsx';

interface Text {
  readonly name: string;
  readonly text: string;
}

const deepest = 3;

/** The texts of several lines below a value, each named by its path. */
function textsBelow(value: unknown, path: readonly string[]): Text[] {
  if (typeof value === 'string')
    return value.includes('\n') ? [{ name: path.map(spelled).join(', '), text: value }] : [];
  if (!isRecord(value) || path.length >= deepest) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsBelow(inner, [...path, name]));
}

export function Texts({ answer }: { answer: Answer }) {
  const texts = textsBelow(answer, []);
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
