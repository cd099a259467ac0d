import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { words } from "../../words/words.ts";

interface DialogProps {
  title: string;
  lead?: ComponentChildren;
  /** Whether it fills the window. */
  isWhole?: boolean;
  /** Called when the user closes it; without it, the dialog cannot be closed. */
  onClose?: () => void;
  children: ComponentChildren;
}

const fields = "input:not([type=hidden], [type=file]), select, textarea";

/**
 * A modal dialog, which restores the focus when it closes. The focus starts in the first field; without fields, on the
 * title, so that no key press triggers a button before it was read.
 */
export function Dialog({ title, lead, isWhole = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    const first = shown?.querySelector<HTMLElement>(fields) ?? heading.current;
    first?.focus();
    return () => {
      // The page takes the focus only after the dialog is closed.
      shown?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWhole ? "whole" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header class="card-head">
        <div>
          <h2 ref={heading} id={id} tabIndex={-1}>
            {title}
          </h2>
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
