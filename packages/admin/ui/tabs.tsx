import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly (readonly [value: T, text: string])[];
  value: T;
  onChange: (value: T) => void;
  children: ComponentChildren;
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs, with navigation by arrow keys (ARIA Authoring Practices, tabs). */
export function Tabs<T extends string>({ label, tabs, value, onChange, children }: TabsProps<T>) {
  const id = useId();
  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    const at = tabs.findIndex(([one]) => one === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next[0]);
    document.getElementById(`${id}-${next[0]}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(([one, text]) => (
          <button
            key={one}
            id={`${id}-${one}`}
            type="button"
            role="tab"
            aria-selected={one === value}
            aria-controls={`${id}-panel`}
            tabIndex={one === value ? 0 : -1}
            onClick={() => onChange(one)}
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
}
