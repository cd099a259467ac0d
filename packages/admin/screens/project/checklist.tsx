import type { ComponentChildren } from "preact";
import { toHref } from "../../browser/router.ts";
import { Card } from "../../ui/parts.tsx";
import { Icon } from "../../ui/icons.tsx";
import { words } from "../../words/words.ts";
import { isSeen } from "../../data/projects/project-state.ts";
import type { Overview } from "../../data/projects/overview.ts";

interface Item {
  isDone: boolean;
  text: string;
  hint?: string;
  action?: ComponentChildren;
}

/** The steps to the first proven consent; nothing once all are done. */
export function Checklist({ overview }: { overview: Overview }) {
  const { checklist } = words.value.project;
  const items = toItems(overview);
  const next = items.find(({ isDone }) => !isDone);
  if (!next) return null;
  return (
    <Card title={checklist.title}>
      <ol class="checklist">
        {items.map((item) => (
          <li key={item.text} class={item.isDone ? "done" : item === next ? "next" : undefined}>
            <span class="check-mark" aria-hidden="true">
              {item.isDone && <Icon name="check" />}
            </span>
            <div>
              <p>
                {item.text}
                <span class="hidden">
                  : {item.isDone ? words.value.app.yes : words.value.app.no}
                </span>
              </p>
              {item === next && item.hint && <p class="soft">{item.hint}</p>}
            </div>
            {item === next && item.action}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function toItems({ project, configurations, last, shown, mayWrite }: Overview): Item[] {
  const { checklist } = words.value.project;
  const at = `/projects/${project.id}`;
  const link = (to: string, text: string) =>
    mayWrite && (
      <a class="button primary small" href={toHref(at + to)}>
        {text}
      </a>
    );
  return [
    { isDone: true, text: checklist.created },
    {
      isDone: configurations > 0,
      text: checklist.configured,
      hint: checklist.configuredHint,
      action: link("/start", checklist.configure),
    },
    {
      isDone: project.publishedAt !== undefined,
      text: checklist.published,
      hint: checklist.publishedHint,
      action: link("/publish", checklist.publish),
    },
    {
      isDone: isSeen({ shown, last }),
      text: checklist.installed,
      hint: checklist.installedHint,
    },
    { isDone: last !== undefined, text: checklist.answered, hint: checklist.answeredHint },
  ];
}
