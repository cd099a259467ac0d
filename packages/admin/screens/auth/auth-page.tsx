import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { LanguageChoice } from "../frame/side.tsx";
import { base } from "../../browser/base.ts";
import { isMoved } from "../../browser/router.ts";
import { Icon, Mark } from "../../ui/icons.tsx";
import { words } from "../../words/words.ts";

interface AuthPageProps {
  title: string;
  lead?: ComponentChildren;
  /** The brand shown instead of the service's. */
  brand?: { name: string; logo?: string } | undefined;
  children: ComponentChildren;
}

/** The layout of screens for users who are not signed in. */
export function AuthPage({ title, lead, brand, children }: AuthPageProps) {
  const { app } = words.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${brand?.name ?? "Avow"}`;
    // A field of the new screen may already have the focus.
    const isTaken = heading.current?.parentElement?.contains(document.activeElement);
    if (isMoved() && !isTaken) heading.current?.focus({ preventScroll: true });
  }, [title, brand?.name]);
  return (
    <div class="door">
      <aside class="door-side">
        <p class="brand">
          {!brand ? (
            <Mark />
          ) : (
            brand.logo !== undefined && (
              <img class="brand-logo" src={`${base}/v1/assets/${brand.logo}`} alt="" />
            )
          )}
          <span>{brand?.name ?? "Avow"}</span>
        </p>
        {!brand && (
          <div class="door-claim">
            <p class="claim">{app.claim}</p>
            <ul>
              {app.points.map((point) => (
                <li key={point}>
                  <Icon name="check" />
                  {point}
                </li>
              ))}
            </ul>
          </div>
        )}
      </aside>
      <main class="door-main">
        <div class="door-card">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p class="soft">{lead}</p>}
          {children}
        </div>
        <footer class="door-foot">
          <LanguageChoice />
        </footer>
      </main>
    </div>
  );
}
