/** A request from outside: a JSON file chosen or dropped anywhere on the page, or pasted text. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { isJsonObject, type JsonObject } from '../api/json.ts';

export function OpenFile({ onRequest }: { onRequest: (request: JsonObject) => void }) {
  const [failure, setFailure] = useState<string>();
  const [over, setOver] = useState(false);
  const take = useRef(onRequest);
  take.current = onRequest;
  const read = (text: string): void => {
    try {
      const value: unknown = JSON.parse(text);
      if (!isJsonObject(value)) throw new Error('a request is one JSON object');
      setFailure(undefined);
      take.current(value);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  useEffect(() => {
    const onDrag = (event: DragEvent): void => {
      event.preventDefault();
      setOver(event.type === 'dragover');
    };
    const onDrop = (event: DragEvent): void => {
      onDrag(event);
      event.dataTransfer?.files[0]?.text().then(read);
    };
    const onPaste = (event: ClipboardEvent): void => {
      const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (inField || !text.trimStart().startsWith('{')) return;
      event.preventDefault();
      read(text);
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
  return (
    <div class={`open${over ? ' over' : ''}`}>
      <label class="button">
        Open JSON…
        <input
          type="file"
          accept="application/json,.json"
          onChange={({ currentTarget }) => currentTarget.files?.[0]?.text().then(read)}
        />
      </label>
      <span class="about">or drop a file, or paste a request</span>
      {failure ? (
        <p class="remarks" role="alert">
          <span class="error">Not a request: {failure}</span>
        </p>
      ) : null}
    </div>
  );
}
