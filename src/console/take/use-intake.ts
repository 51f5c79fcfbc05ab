/** Everything that comes from outside: files chosen, files dropped anywhere on the page, pasted text. */
import { useEffect, useRef, useState } from 'preact/hooks';

/** Calls `take` with the text of whatever is dropped or pasted; says whether something is held over the page. */
export function useIntake(take: (text: string, name: string) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const onDrag = (event: DragEvent): void => {
      event.preventDefault();
      setOver(event.type === 'dragover');
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
      // A word pasted by mistake is no file.
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
  return over;
}
