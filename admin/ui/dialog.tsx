import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { words } from "../words/words.ts";

interface DialogProps {
  title: string;
  lead?: ComponentChildren;
  /** Called when it was closed by whoever reads it; without it, it stays until it is taken away. */
  onClose?: () => void;
  children: ComponentChildren;
}

/** A dialog that waits for an answer; the page behind it waits too, and has the focus again afterwards. */
export function Dialog({ title, lead, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header class="card-head">
        <div>
          <h2 id={id}>{title}</h2>
          {lead && <p class="soft">{lead}</p>}
        </div>
        {onClose && (
          <button type="button" class="close" aria-label={words.value.app.close} onClick={onClose}>
            ×
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
