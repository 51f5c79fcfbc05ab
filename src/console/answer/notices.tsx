/** What should be known of an answer beside its numbers and its sentence: its warnings, each once. */
import type { Answer } from '../api/answer.ts';

export function Notices({ answer }: { answer: Answer }) {
  const seen = new Set<string>();
  const once = answer.warnings.filter(({ code, detail }) => {
    const isNew = !seen.has(code + detail);
    seen.add(code + detail);
    return isNew;
  });
  return (
    <>
      {once.map(({ code, detail }) => (
        <p key={code + detail} class="notice" data-warning={code}>
          {sentence(detail)}
        </p>
      ))}
    </>
  );
}

/** Begins with a capital and ends with a full stop. */
const sentence = (text: string): string =>
  text.replace(/^[a-z]/, (first) => first.toUpperCase()).replace(/[^.!?]$/, '$&.');
