/** Opens texts: by a file button, by drag and drop, and by paste. */
import { useEffect, useRef, useState } from 'preact/hooks';

interface OpenFileProps {
  readonly label: string;
  readonly primary?: boolean;
  readonly onText: (text: string, name: string) => void;
}

export function OpenFile({ label, primary = false, onText }: OpenFileProps) {
  return (
    <div class="open">
      <label class={`button${primary ? ' primary' : ''}`}>
        {label}
        <input
          type="file"
          accept=".json,.ndjson,.jsonl,.csv,.tsv,.log,.txt,.cdx,.cdxj,.warc,application/json,text/csv,text/plain"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            file?.text().then((text) => onText(text, file.name));
            // Without this, choosing the same file again after an edit raises no event.
            currentTarget.value = '';
          }}
        />
      </label>
      <span class="about">or drop a file anywhere, or paste: a request, or a crawl log</span>
    </div>
  );
}

/** Calls `take` with every dropped or pasted text; returns whether a drag is over the page. */
export function useDropAndPaste(take: (text: string, name: string) => void): boolean {
  const [isDragOver, setDragOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const onDrag = (event: DragEvent): void => {
      event.preventDefault();
      setDragOver(event.type === 'dragover');
    };
    const onDrop = (event: DragEvent): void => {
      onDrag(event);
      const file = event.dataTransfer?.files[0];
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      if (file) file.text().then((content) => latest.current(content, file.name));
      else if (text !== '') latest.current(text, 'dropped text');
    };
    const onPaste = (event: ClipboardEvent): void => {
      const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      // A text without a line break or a brace was pasted by mistake.
      if (inField || !/[\n{]/.test(text)) return;
      event.preventDefault();
      latest.current(text, 'pasted text');
    };
    addEventListener('dragover', onDrag);
    addEventListener('dragleave', onDrag);
    addEventListener('drop', onDrop);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('dragover', onDrag);
      removeEventListener('dragleave', onDrag);
      removeEventListener('drop', onDrop);
      removeEventListener('paste', onPaste);
    };
  }, []);
  return isDragOver;
}
