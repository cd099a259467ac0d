import { useEffect, useRef } from "preact/hooks";
import { toHref } from "../../browser/router.ts";
import type { CreatedProposal } from "../../data/projects/move-in.ts";
import { moveInWords } from "../../words/move-in/words.ts";
import type { Conversion } from "./convert.ts";

interface CreatedProps {
  created: CreatedProposal & { title: string };
  conversion: Conversion;
  onRestart: () => void;
}

/** The created project, and the way from there to a live banner. */
export function CreatedCard({
  created: { projectId, bannerId, title },
  conversion: { report },
  onRestart,
}: CreatedProps) {
  const texts = moveInWords.value;
  const { steps } = texts;
  const heading = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const decisions = report.lines.filter(({ kind }) => kind === "decide").length;
  const project = `/projects/${projectId}`;
  const list = [
    { ...steps.decide(decisions), to: `${project}/cookies/${bannerId}` },
    { ...steps.publish, to: `${project}/publish` },
    { ...steps.replace, to: project },
  ];
  return (
    <section class="card">
      <header class="card-head">
        <div>
          <h2 ref={heading} tabIndex={-1}>
            {texts.created(title)}
          </h2>
          <p class="soft">{texts.createdLead}</p>
        </div>
        <a class="button primary" href={toHref(project)}>
          {texts.open}
        </a>
      </header>
      <ol class="checklist">
        {list.map(({ name, hint, action, to }) => (
          <li key={name}>
            <span class="check-mark" aria-hidden="true" />
            <div>
              <p>{name}</p>
              <p class="hint">{hint}</p>
            </div>
            <a class="button small" href={toHref(to)}>
              {action}
            </a>
          </li>
        ))}
      </ol>
      <div class="form-end">
        <button type="button" class="button" onClick={onRestart}>
          {texts.restart}
        </button>
      </div>
    </section>
  );
}
