/** The key of a service that asks for one: Enter sends the request again with it. */
import { useState } from 'preact/hooks';
import { storedKey, storeKey } from '../api/key.ts';
import { keyEntered } from './use-answer.ts';

export function KeyField({ label }: { label: string }) {
  const [key, setKey] = useState(storedKey);
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        dispatchEvent(new Event(keyEntered));
      }}
    >
      <label>
        {label}
        <input
          type="password"
          autocomplete="off"
          enterkeyhint="send"
          value={key}
          onInput={({ currentTarget }) => {
            setKey(currentTarget.value);
            storeKey(currentTarget.value);
          }}
        />
      </label>
    </form>
  );
}
