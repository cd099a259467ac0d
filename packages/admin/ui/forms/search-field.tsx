import { useId } from "preact/hooks";

const LENGTH_MAX = 200;

interface SearchFieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
}

/** A field that filters a list while typing. */
export function SearchField({ label, value, onValue }: SearchFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        maxLength={LENGTH_MAX}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </div>
  );
}
