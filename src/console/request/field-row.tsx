/** The frame of every field: label, description, errors and warnings around its control. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Remarks } from './pointer.ts';

/** Errors and warnings below a control. */
export function RemarkList({ remarks }: { remarks: Remarks }) {
  if (remarks.length === 0) return null;
  return (
    <ul class="remarks">
      {remarks.map((remark) => (
        <li key={remark.detail} class={remark.level} data-pointer={remark.pointer}>
          {remark.detail}
        </li>
      ))}
    </ul>
  );
}

export interface ControlIds {
  readonly input: string;
  readonly descriptionId: string;
  readonly invalid: boolean;
}

interface RowProps {
  readonly label: string;
  readonly unit?: string;
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly remarks: Remarks;
  readonly wide?: boolean;
  readonly children: (ids: ControlIds) => ComponentChildren;
}

export function Row({ label, unit = '', name, required, description, remarks, wide, children }: RowProps) {
  const input = useId();
  const descriptionId = `${input}-about`;
  const invalid = remarks.some(({ level }) => level === 'error');
  return (
    <div class={`field${wide ? ' wide' : ''}${invalid ? ' invalid' : ''}`} data-field={name}>
      <label for={input} title={name}>
        {label}
        {unit === '' ? null : <span class="unit-of"> {unit}</span>}
        {required ? null : <span class="optional"> optional</span>}
      </label>
      {children({ input, descriptionId, invalid })}
      <p class="about" id={descriptionId}>
        {description}
      </p>
      <RemarkList remarks={remarks} />
    </div>
  );
}
