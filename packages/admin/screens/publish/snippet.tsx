import { useState } from "preact/hooks";
import type { PublishJob } from "@avow/client/operations";
import { Card, Copyable } from "../../ui/parts.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { words } from "../../words/words.ts";
import type { Overview } from "../../data/projects/overview.ts";

/** The snippet for the website: with the latest widget, or pinned by its hash (SRI). */
export function SnippetCard({ overview: { project, jobs } }: { overview: Overview }) {
  const { snippet } = words.value.project;
  const [kind, setKind] = useState<"plain" | "pinned">("plain");
  const job = jobs.find(({ status, files }) => status === "Done" && files);
  if (!job || !project.isLive)
    return (
      <Card title={snippet.title}>
        <p class="soft">{snippet.notPublished}</p>
      </Card>
    );
  const pinned = toPinned(job);
  const text = kind === "pinned" && pinned !== undefined ? pinned : toPlain(job);
  const tabs = [["plain", snippet.plainTab], ...(pinned ? [["pinned", snippet.pinnedTab]] : [])];
  return (
    <Card title={snippet.title} lead={snippet.lead}>
      <Tabs
        label={snippet.code}
        tabs={tabs as ["plain" | "pinned", string][]}
        value={kind}
        onChange={setKind}
      >
        <Copyable text={text} label={snippet.code} />
        <p class="hint">{kind === "pinned" ? `${snippet.pinned} ${snippet.pin}` : snippet.plain}</p>
      </Tabs>
    </Card>
  );
}

type Published = Pick<PublishJob, "projectId" | "environment"> & { links: { self: string } };

/** The service's base URL, from its own link. */
function toService({ links }: Published): string {
  return links.self.slice(0, links.self.indexOf("/v1/"));
}

/** The snippet that loads the latest widget. */
export function toPlain(published: Published): string {
  const { projectId, environment } = published;
  const place = environment === "staging" ? ' data-environment="staging"' : "";
  return `<script src="${toService(published)}/widget.js" data-project="${projectId}"${place} async></script>`;
}

function toPinned(job: PublishJob): string | undefined {
  const widget = job.files?.find(({ url }) => /\/widget\/widget\.[0-9a-f]+\.js$/.test(url));
  if (!widget) return undefined;
  const lines = [
    `src="${widget.url}"`,
    `integrity="${widget.integrity}"`,
    'crossorigin="anonymous"',
    `data-service="${toService(job)}"`,
    `data-cdn="${widget.url.slice(0, widget.url.indexOf("/widget/widget."))}"`,
    `data-project="${job.projectId}"`,
    "async",
  ];
  return `<script\n  ${lines.join("\n  ")}\n></script>`;
}
