/** The little Markdown of the descriptions: paragraphs, list items, `code`, *emphasis*. */

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
