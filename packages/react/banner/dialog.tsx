"use client";
import type { ConsentOffer } from "@avow/widget/headless";
import { type ReactNode, type RefObject, useRef } from "react";
import { useBrowserEffect } from "../content/browser-effect.ts";
import { useClassNames } from "../content/class-names.ts";

interface OfferDialogProps {
  offer: ConsentOffer;
  /** Whether it blocks the page. A banner that does not leaves the focus where it is. */
  isModal: boolean;
  /** Classes of its layout and position. */
  place: string;
  labelId: string;
  /** Set when it closes: whether the focus was in it. */
  hadFocus: RefObject<boolean>;
  onDismiss: () => void;
  /** Closes it without an answer after this time, unless it is hovered or focused. */
  timeoutMs?: number | undefined;
  children: ReactNode;
}

/**
 * The dialog of a banner or a preference center. A server renders it open; in the browser, one that blocks the page then
 * becomes modal.
 */
export function OfferDialog(props: OfferDialogProps): ReactNode {
  const { offer, isModal, place, labelId, hadFocus, onDismiss, timeoutMs, children } = props;
  const toClass = useClassNames();
  const ref = useRef<HTMLDialogElement>(null);
  const dismissRef = useRef(onDismiss);
  useBrowserEffect(() => {
    dismissRef.current = onDismiss;
  });
  useBrowserEffect(() => {
    const dialog = ref.current;
    if (!dialog) return undefined;
    if (isModal) {
      dialog.close();
      dialog.showModal();
      dialog.querySelector("h2")?.focus();
    }
    return () => {
      hadFocus.current = dialog.contains(document.activeElement);
      // The browser restores the previous focus of a modal dialog.
      if (isModal) dialog.close();
    };
  }, [isModal, hadFocus]);
  useBrowserEffect(() => {
    const dialog = ref.current;
    if (timeoutMs === undefined || !dialog) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(
        () => (dialog.matches(":hover,:focus-within") ? wait() : dismissRef.current()),
        timeoutMs,
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [timeoutMs]);
  return (
    <dialog
      ref={ref}
      open
      className={toClass("dialog", "avow", place)}
      lang={offer.language}
      dir={offer.direction}
      aria-labelledby={labelId}
      onCancel={(event) => {
        event.preventDefault();
        onDismiss();
      }}
      onKeyDown={({ key }) => {
        if (key === "Escape") onDismiss();
      }}
    >
      {children}
    </dialog>
  );
}
