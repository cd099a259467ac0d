import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { toAgo, toInstant } from "../browser/format.ts";
import { words } from "../words/words.ts";
import { Icon, type IconName } from "./icons.tsx";

type Tone = "good" | "bad" | "warn" | "plain";

/** A short label of a state. */
export function Badge({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** A relative time with the exact time as its title. */
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

/** A placeholder for an empty list, with the next step. */
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

/** A text with a copy button. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  const { app } = words.value;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // The clipboard needs a secure context. Otherwise the text is selected, to be copied by hand.
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
