/** The button that opens a file, and what else brings something in. */

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
            // The same file can be chosen again after it was mended.
            currentTarget.value = '';
          }}
        />
      </label>
      <span class="about">or drop a file anywhere, or paste: a request, or a crawl log</span>
    </div>
  );
}
