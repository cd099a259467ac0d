import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isMoved } from "../browser/router.ts";

interface PageProps {
  title: string;
  lead?: ComponentChildren;
  /** Beside the title: what can be done here. */
  actions?: ComponentChildren;
  /** Narrow screens are for one thing to read or fill in. */
  isNarrow?: boolean;
  /** Wide screens have something beside what is written. */
  isWide?: boolean;
  children: ComponentChildren;
}

/** A screen: its title is the document's too, and has the focus when somebody came here from another screen. */
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
