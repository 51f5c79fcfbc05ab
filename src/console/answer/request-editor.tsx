/** The request as text to edit, and as a command or a program that sends it. */
import { useState } from 'preact/hooks';
import { isJsonObject, isShallow, type JsonObject } from '../api/json.ts';
import { serviceUrl, storedKey } from '../api/service.ts';
import { Choice } from '../words/choice.tsx';
import { Code } from './code.tsx';

const maxEditedCharacters = 200_000;

interface RequestEditorProps {
  readonly operation: string;
  readonly request: JsonObject;
  readonly onRequest: (request: JsonObject) => void;
}

export function RequestEditor({ operation, request, onRequest }: RequestEditorProps) {
  const [language, setLanguage] = useState<Language>('curl');
  const [draft, setDraft] = useState<{ text: string; of: JsonObject; fault: string }>();
  const json = JSON.stringify(request, null, 2);
  const edit = (text: string): void => {
    try {
      const value: unknown = JSON.parse(text);
      if (!isJsonObject(value)) throw new Error('a request is one JSON object');
      if (!isShallow(value)) throw new Error('its lists are nested deeper than any request’s');
      setDraft({ text, of: value, fault: '' });
      onRequest(value);
    } catch (error) {
      setDraft({ text, of: request, fault: error instanceof Error ? error.message : String(error) });
    }
  };
  const own = draft !== undefined && draft.of === request ? draft : undefined;
  return (
    <div class="request-editor">
      {json.length > maxEditedCharacters ? null : (
        <>
          <textarea
            class="code"
            aria-label="request as JSON, to edit"
            data-source="request-json"
            aria-invalid={(own !== undefined && own.fault !== '') || undefined}
            spellcheck={false}
            rows={Math.min(22, json.split('\n').length + 1)}
            value={own?.text ?? json}
            onInput={({ currentTarget }) => edit(currentTarget.value)}
          />
          <p class="remarks" role="status">
            {own && own.fault !== '' ? <span class="error">Not sent: {own.fault}</span> : null}
          </p>
        </>
      )}
      <Choice
        label="The same as"
        options={languages}
        value={language}
        onChoose={(each) => setLanguage(languages.find((candidate) => candidate === each) ?? language)}
      />
      <Code label="request" value={request} text={requestAs(language, operation, request)} file="request.json" />
    </div>
  );
}

export const languages = ['curl', 'command line'] as const;
type Language = (typeof languages)[number];

/** Longer requests go through a file. */
const maxInline = 20_000;

/** The request as a command for a POSIX shell. */
function requestAs(language: Language, operation: string, request: JsonObject): string {
  const body = JSON.stringify(request, null, 2);
  const inline = body.length <= maxInline;
  if (language === 'command line')
    return inline
      ? `crawl-optimizer ${operation} <<'JSON'\n${body}\nJSON`
      : `crawl-optimizer ${operation} request.json`;
  const key = storedKey() ? " \\\n  -H 'X-API-Key: …'" : '';
  const head = `curl -s '${serviceUrl(`v1/${operation}`)}' \\\n  -H 'Content-Type: application/json'${key} \\\n`;
  return inline ? `${head}  -d '${body.replaceAll("'", "'\\''")}'` : `${head}  --data-binary @request.json`;
}
