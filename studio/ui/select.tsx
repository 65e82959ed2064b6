/**
 * @module A native choice of one value.
 */

interface SelectProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Values with their names. */
  readonly options: Readonly<Record<string, string>>;
  /** The name of the choice `''`. */
  readonly none?: string;
  readonly onChange: (value: string) => void;
}

export const Select = ({ label, value, options, none, onChange }: SelectProps) => (
  <select aria-label={label} value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
    {none !== undefined && <option value="">{none}</option>}
    {Object.entries(options).map(([option, name]) => (
      <option key={option} value={option}>
        {name}
      </option>
    ))}
  </select>
);
