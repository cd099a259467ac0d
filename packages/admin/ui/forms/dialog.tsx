import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { words } from "../../words/words.ts";

interface DialogProps {
  title: string;
  lead?: ComponentChildren;
  /** Whether it takes the whole window. */
  isWhole?: boolean;
  /** Called when it was closed by whoever reads it; without it, it stays until it is taken away. */
  onClose?: () => void;
  children: ComponentChildren;
}

const fields = "input:not([type=hidden], [type=file]), select, textarea";

/**
 * A dialog that waits for an answer; the page behind it waits too, and has the focus again afterwards. The focus begins
 * in its first field; where it has none, on its title, so that no key answers before it was read.
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
      // What is behind an open one takes no focus.
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
