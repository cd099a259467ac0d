import { useState } from "preact/hooks";
import type { PublishJob } from "@avow/client/operations";
import { toBlockLines, toSnippet } from "@avow/contract/snippet";
import type { ShownProject } from "../../data/projects/project.ts";
import { Card, Copyable } from "../../ui/parts.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { startWords } from "../../words/start/words.ts";
import { words } from "../../words/words.ts";
import { toNative, toNext, toNuxt } from "./codes.ts";

const kinds = ["plain", "pinned", "gtm", "wordpress", "next", "nuxt", "native"] as const;
type Kind = (typeof kinds)[number];
const codes = { next: toNext, nuxt: toNuxt, native: toNative } as const;

interface SnippetProps {
  project: ShownProject;
  /** The newest jobs, the newest first. */
  jobs: readonly PublishJob[];
}

/** The snippet for each way to build a website: HTML, a tag manager, WordPress or a framework. */
export function SnippetCard({ project, jobs }: SnippetProps) {
  const { snippet } = words.value.project;
  const { install } = startWords.value;
  const [kind, setKind] = useState<Kind>("plain");
  const job = jobs.find(({ status, files }) => status === "Done" && files);
  if (!job || !project.isLive)
    return (
      <Card title={snippet.title}>
        <p class="soft">{snippet.notPublished}</p>
      </Card>
    );
  const pinned = toPinned(job);
  return (
    <Card title={snippet.title} lead={kind === "plain" || kind === "pinned" ? snippet.lead : null}>
      <Tabs
        label={snippet.code}
        tabs={kinds
          .filter((one) => one !== "pinned" || pinned !== undefined)
          .map((one) => [one, install.tabs[one]] as const)}
        value={kind}
        onChange={setKind}
      >
        <Code key={kind} kind={kind} job={job} pinned={pinned} />
      </Tabs>
    </Card>
  );
}

interface CodeProps {
  kind: Kind;
  job: PublishJob;
  pinned: string | undefined;
}

function Code({ kind, job, pinned = "" }: CodeProps) {
  const { snippet } = words.value.project;
  const { install } = startWords.value;
  const blockUrl = toBlockUrl(job);
  const block = blockUrl !== undefined && kind !== "native" && kind !== "wordpress" && (
    <>
      <p class="label">{install.block}</p>
      <Copyable text={toBlockLines(blockUrl).join("\n")} label={install.block} />
      <p class="hint">{install.blockHint}</p>
    </>
  );
  if (kind === "plain" || kind === "pinned")
    return (
      <>
        <Copyable text={kind === "plain" ? toPlain(job) : pinned} label={snippet.code} />
        <p class="hint">
          {kind === "plain" ? snippet.plain : `${snippet.pinned} ${snippet.pin}`}{" "}
          {blockUrl === undefined ? install.noBlock : install.blocks}
        </p>
      </>
    );
  const values = { project: job.projectId, url: toService(job) };
  if (kind === "gtm" || kind === "wordpress")
    return (
      <>
        <p>{install.hints[kind]}</p>
        <p class="label">{install.service}</p>
        <Copyable text={values.url} label={install.service} />
        <p class="label">{install.project}</p>
        <Copyable text={values.project} label={install.project} />
        {block}
      </>
    );
  return (
    <>
      <Copyable text={codes[kind](values)} label={snippet.code} />
      <p class="hint">{install.hints[kind]}</p>
      {block}
    </>
  );
}

type Published = Pick<PublishJob, "projectId" | "environment"> & {
  links: { self: string };
  files?: PublishJob["files"];
};

/** The service's base URL, from its own link. */
function toService({ links }: Published): string {
  return links.self.slice(0, links.self.indexOf("/v1/"));
}

/** The address of the script that holds tags until consent. */
function toBlockUrl({ files }: Published): string | undefined {
  return files?.find(({ url }) => url.endsWith(".block.js"))?.url;
}

/** The snippet that loads the latest widget. */
export function toPlain(published: Published): string {
  const { projectId, environment } = published;
  return toSnippet({
    serviceUrl: toService(published),
    projectId,
    blockUrl: toBlockUrl(published),
    isStaging: environment === "staging",
  });
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
  const script = `<script\n  ${lines.join("\n  ")}\n></script>`;
  return [...toBlockLines(toBlockUrl(job)), script].join("\n");
}
