import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface MenuProps {
  /** The content of the button that opens it. */
  label: ComponentChildren;
  children: ComponentChildren;
}

/** A panel below its button. Escape, a click elsewhere and leaving it by Tab close it. */
export function Menu({ label, children }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    if (details.current) details.current.open = false;
  };
  useEffect(() => {
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Node && !details.current?.contains(target)) close();
    };
    addEventListener("pointerdown", closeOutside);
    addEventListener("focusin", closeOutside);
    return () => {
      removeEventListener("pointerdown", closeOutside);
      removeEventListener("focusin", closeOutside);
    };
  }, []);
  return (
    <details
      ref={details}
      class="menu"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !details.current?.open) return;
        close();
        details.current.querySelector("summary")?.focus();
      }}
    >
      <summary class="button small">{label}</summary>
      {isOpen && <div class="menu-panel">{children}</div>}
    </details>
  );
}
