/** A select with a label, and the buttons that page through a long list. */
import { useId } from 'preact/hooks';
import { figure } from '../../schemas/words/numbers.ts';

type Option = string | readonly [value: string, label: string];

interface ChoiceProps {
  /** Without a label the attributes have to name the select. */
  readonly label?: string;
  readonly options: readonly Option[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
  readonly id?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean | undefined;
  readonly [data: `data-${string}`]: string | boolean;
}

export function Choice({ label, options, value, onChoose, ...attributes }: ChoiceProps) {
  const own = useId();
  const id = attributes.id ?? own;
  const list = (
    <select {...attributes} id={id} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map((option) => {
        const [name, text] = typeof option === 'string' ? [option, option] : option;
        return (
          <option key={name} value={name}>
            {text}
          </option>
        );
      })}
    </select>
  );
  return label === undefined ? (
    list
  ) : (
    <label for={id}>
      {label} {list}
    </label>
  );
}

interface PagerProps {
  readonly page: number;
  /** Number of rows in all, and on one page. */
  readonly length: number;
  readonly pageSize: number;
  readonly onPage: (page: number) => void;
}

/** The paging buttons; nothing if one page holds all rows. */
export function Pager({ page, length, pageSize, onPage }: PagerProps) {
  if (length <= pageSize) return null;
  const first = page * pageSize;
  return (
    <span class="pager">
      <button type="button" class="quiet" disabled={page === 0} onClick={() => onPage(page - 1)}>
        ‹ previous
      </button>
      {figure(first + 1)}–{figure(Math.min(length, first + pageSize))} of {figure(length)}
      <button type="button" class="quiet" disabled={first + pageSize >= length} onClick={() => onPage(page + 1)}>
        next ›
      </button>
    </span>
  );
}
