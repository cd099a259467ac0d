import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { toAgo, toInstant } from "../browser/format.ts";
import { words } from "../words/words.ts";
import { Icon, type IconName } from "./icons.tsx";

type Tone = "good" | "bad" | "warn" | "plain";

/** A word or two about the state of something. */
export function Badge({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** How long ago something was; the exact time stands in its title. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={toInstant(at)}>
      {toAgo(at)}
    </time>
  );
}

interface CardProps {
  title: string;
  lead?: ComponentChildren;
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** A section of a screen, with its heading. */
export function Card({ title, lead, action, children }: CardProps) {
  return (
    <section class="card">
      <header class="card-head">
        <div>
          <h2>{title}</h2>
          {lead && <p class="soft">{lead}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}

/** What stands where there is nothing yet, and what to do about it. */
export function Empty({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName;
  title: string;
  text: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p class="soft">{text}</p>
      {children}
    </div>
  );
}

/** Text to take elsewhere, with a button that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  const { app } = words.value;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Without a secure context there is no clipboard: what is selected can be copied by hand.
      getSelection()?.selectAllChildren(code.current ?? document.body);
    }
  };
  return (
    <div class="copyable">
      <pre tabIndex={0} aria-label={label}>
        <code ref={code}>{text}</code>
      </pre>
      <button type="button" class="button small" onClick={() => void copy()}>
        <Icon name={isCopied ? "check" : "copy"} />
        {isCopied ? app.copied : app.copy}
      </button>
      <span class="hidden" role="status">
        {isCopied && app.copied}
      </span>
    </div>
  );
}
