import type { ConfigurationResult, HeldBack, PublishJob } from "@avow/client/operations";
import { toHref } from "../../browser/router.ts";
import { Badge, Card } from "../../ui/parts.tsx";
import { sayFinding } from "../../words/findings/say.ts";
import { publishingWords } from "../../words/publishing/words.ts";

/** Lists of a published file with an editor in the admin app. */
const editors: Partial<Record<ConfigurationResult["collection"], string>> = {
  cookies: "cookies",
  processings: "processings",
  contracts: "contracts",
};

/** The configurations that a publication would hold back, with the reasons. */
export function HeldBackCard({
  projectId,
  heldBack,
}: {
  projectId: string;
  heldBack: readonly HeldBack[];
}) {
  const texts = publishingWords.value.heldBack;
  if (heldBack.length === 0) return null;
  return (
    <Card title={texts.title} lead={texts.lead}>
      <HeldBackList projectId={projectId} heldBack={heldBack} />
    </Card>
  );
}

/** The configurations of a job by what became of them. */
export function Results({ job }: { job: PublishJob }) {
  const { results } = publishingWords.value.heldBack;
  const { projectId, published = [], unchanged = [], heldBack = [] } = job;
  if (heldBack.length === 0) return null;
  return (
    <div class="results">
      <ResultNames title={results.published} listed={published} />
      <ResultNames title={results.unchanged} listed={unchanged} />
      <p>
        <Badge tone="warn">{results.heldBack}</Badge>
      </p>
      <HeldBackList projectId={projectId} heldBack={heldBack} />
    </div>
  );
}

function ResultNames({ title, listed }: { title: string; listed: readonly ConfigurationResult[] }) {
  if (listed.length === 0) return null;
  return (
    <p>
      <Badge tone="good">{title}</Badge> {listed.map(({ name }) => name).join(", ")}
    </p>
  );
}

function HeldBackList({
  projectId,
  heldBack,
}: {
  projectId: string;
  heldBack: readonly HeldBack[];
}) {
  const texts = publishingWords.value.heldBack;
  return (
    <ul class="findings">
      {heldBack.map(({ collection, identifier, name, findings }) => {
        const editor = editors[collection];
        return (
          <li key={identifier}>
            <p>
              <strong>{name}</strong>{" "}
              {editor && (
                <a href={toHref(`/projects/${projectId}/${editor}/${identifier}`)}>
                  {texts.open}
                  <span class="hidden"> {name}</span>
                </a>
              )}
            </p>
            <ul>
              {findings.map((finding) => {
                const { message, fix, lang } = sayFinding(finding);
                return (
                  <li key={`${finding.rule} ${finding.path}`} lang={lang}>
                    {message} {fix}
                  </li>
                );
              })}
            </ul>
          </li>
        );
      })}
    </ul>
  );
}
