import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../../words/words.ts";

interface DialogProps {
  title: string;
  lead?: ComponentChildren;
  /** Whether it fills the window. */
  isWhole?: boolean;
  /** Whether its title is for screen readers only, because its first field says the same. */
  isBare?: boolean;
  /** Called when the user closes it; without it, the dialog cannot be closed. */
  onClose?: () => void;
  children: ComponentChildren;
}

const fields = "input:not([type=hidden], [type=file]), select, textarea";

/**
 * A modal dialog, which restores the focus when it closes. The focus starts in the first field; without fields, on the
 * title, so that no key press triggers a button before it was read.
 */
export function Dialog({
  title,
  lead,
  isWhole = false,
  isBare = false,
  onClose,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  // Before the next key press, so that nothing typed after a shortcut is lost.
  useLayoutEffect(() => {
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
      class={isWhole ? "whole" : isBare ? "bare" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header class={isBare ? "hidden" : "card-head"}>
        <div>
          <h2 ref={heading} id={id} tabIndex={-1}>
            {title}
          </h2>
          {lead && <p class="soft">{lead}</p>}
        </div>
        {onClose && !isBare && (
          <button type="button" class="close" aria-label={words.value.app.close} onClick={onClose}>
            ×
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
