/** Text in which terms of docs/glossary.md have their meaning as a tooltip. */
import glossary from '../../../docs/glossary.md?raw';

/** Term → meaning, from the rows of the glossary's tables; `crawl, fetch` are two terms. */
function termsOf(markdown: string): Map<string, string> {
  const terms = new Map<string, string>();
  for (const line of markdown.split('\n')) {
    const row = /^\| ([^|]+) \| ([^|].*) \|$/.exec(line);
    if (row === null || row[1] === 'Term') continue;
    const meaning = row[2].replaceAll(/[*`\\]/g, '');
    for (const term of row[1].replaceAll(/\([^)]*\)/g, '').split(',')) terms.set(term.trim().toLowerCase(), meaning);
  }
  return terms;
}

const terms = termsOf(glossary);
const words = [...terms.keys()].sort((a, b) => b.length - a.length).map((term) => term.replaceAll(/[^\w ]/g, '.'));
const pattern = new RegExp(`\\b(${words.join('|')})(?:s|es)?\\b`, 'gi');
/** Terms of the glossary that need no explanation in the console. */
const plainWords = new Set('page crawl fetch change update host law interval check crawler'.split(' '));

/** Renders a text with each term explained at its first occurrence. */
export function Terms({ text }: { text: string }) {
  const shownTerms = new Set<string>();
  const parts: (string | { word: string; meaning: string })[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const term = match[1].toLowerCase();
    const meaning = terms.get(term);
    if (meaning === undefined || plainWords.has(term) || shownTerms.has(term)) continue;
    shownTerms.add(term);
    parts.push(text.slice(end, match.index), { word: match[0], meaning });
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return (
    <>
      {parts.map((part) =>
        typeof part === 'string' ? (
          part
        ) : (
          <abbr key={part.word} title={part.meaning}>
            {part.word}
          </abbr>
        ),
      )}
    </>
  );
}

function inline(text: string) {
  return text.split(/(`[^`]+`|\*[^*\s][^*]*\*)/).map((part) => {
    if (part.startsWith('`') && part.length > 2) return <code>{part.slice(1, -1)}</code>;
    if (part.startsWith('*') && part.length > 2) return <em>{part.slice(1, -1)}</em>;
    return part;
  });
}

export function Markdown({ text }: { text: string }) {
  return (
    <div class="markdown">
      {text.split(/\n\s*\n/).map((block) => {
        const items = block.split(/\n(?=\s*- )/);
        if (!items.every((item) => item.trimStart().startsWith('- '))) return <p key={block}>{inline(block)}</p>;
        return (
          <ul key={block}>
            {items.map((item) => (
              <li key={item}>{inline(item.trimStart().slice(2))}</li>
            ))}
          </ul>
        );
      })}
    </div>
  );
}
