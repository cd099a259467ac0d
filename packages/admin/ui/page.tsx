import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isMoved } from "../browser/router.ts";

interface PageProps {
  title: string;
  lead?: ComponentChildren;
  /** Actions beside the title. */
  actions?: ComponentChildren;
  /** Narrow screens have a single text or form. */
  isNarrow?: boolean;
  /** Wide screens have a second column. */
  isWide?: boolean;
  children: ComponentChildren;
}

/** A screen. Its title is also the document's, and takes the focus after a navigation within the app. */
export function Page({
  title,
  lead,
  actions,
  isNarrow = false,
  isWide = false,
  children,
}: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Avow`;
  }, [title]);
  useEffect(() => {
    if (isMoved()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class={isNarrow ? "page narrow" : isWide ? "page wide" : "page"}>
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p class="soft">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
