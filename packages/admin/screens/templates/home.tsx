import { useState } from "preact/hooks";
import {
  type TemplateSite,
  listTemplatePublications,
  listTemplateSites,
  publishTemplateSites,
} from "@avow/client/operations";
import { send, sendWhole } from "../../api/send.ts";
import { type ShownProject, toHost } from "../../data/projects/project.ts";
import { type LoadResult, useLoad } from "../../data/use-load.ts";
import { toNumber } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Icon } from "../../ui/icons.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePage } from "../../ui/pager.tsx";
import { Ago, Badge, Card, Empty } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { templateWords } from "../../words/templates/words.ts";
import { PublicationCard } from "./publication.tsx";
import { ReportCard } from "./report.tsx";

const PER_PAGE = 25;

/** The overview of a template: its sites, what publishing them changes, and their newest publication. */
export function TemplateHome({ project, mayWrite }: { project: ShownProject; mayWrite: boolean }) {
  const texts = templateWords.value;
  const { id: templateId, title } = project;
  const [page, setPage] = usePage();
  const [isAsking, setAsking] = useState(false);
  const sites = useLoad(async () => {
    const query = { page, perPage: PER_PAGE };
    const { body, headers } = await sendWhole(listTemplateSites, { path: { templateId }, query });
    return { items: body, total: Number(headers.get("x-total-count") ?? 0) };
  }, [templateId, page]);
  const newest = useLoad(async () => {
    const query = { perPage: 1 };
    const [publication] = await send(listTemplatePublications, { path: { templateId }, query });
    return publication;
  }, [templateId]);
  const total = sites.state === "ready" ? sites.value.total : 0;
  const publication = newest.state === "ready" ? newest.value : undefined;
  return (
    <Page
      title={title}
      lead={texts.lead}
      actions={
        mayWrite &&
        total > 0 && (
          <button type="button" class="button primary" onClick={() => setAsking(true)}>
            <Icon name="send" />
            {texts.publish}
          </button>
        )
      }
    >
      <div class="cards">
        {publication && (
          <PublicationCard
            key={publication.id}
            publication={publication}
            mayWrite={mayWrite}
            onEnd={sites.reload}
          />
        )}
        <SitesCard sites={sites} page={page} onPage={setPage} />
        {mayWrite && total > 0 && <ReportCard templateId={templateId} />}
      </div>
      {isAsking && (
        <Confirm
          title={texts.publishTitle(total)}
          text={texts.publishText}
          submit={texts.publish}
          onConfirm={async () => {
            await send(publishTemplateSites, { path: { templateId }, body: {} });
            setAsking(false);
            newest.reload();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Page>
  );
}

interface SitesCardProps {
  sites: LoadResult<{ items: readonly TemplateSite[]; total: number }>;
  page: number;
  onPage: (page: number) => void;
}

function SitesCard({ sites, page, onPage }: SitesCardProps) {
  const texts = templateWords.value;
  return (
    <Card title={texts.sites} lead={texts.sitesLead}>
      <LoadView of={sites} lines={4}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty icon="globe" title={texts.noSites} text={texts.noSitesText} />
          ) : (
            <>
              <Table
                caption={texts.sites}
                columns={toColumns()}
                rows={items}
                toKey={({ projectId }) => projectId}
                isFlush
              />
              <Pager page={page} perPage={PER_PAGE} total={total} onPage={onPage} />
            </>
          )
        }
      </LoadView>
    </Card>
  );
}

function toColumns(): readonly Column<TemplateSite>[] {
  const texts = templateWords.value;
  return [
    { id: "name", title: texts.name, cell: (site) => <SiteName site={site} /> },
    { id: "state", title: texts.state, cell: (site) => <SiteState site={site} /> },
    { id: "own", title: texts.own, text: ({ overrides }) => toNumber(overrides) },
    { id: "last", title: texts.last, cell: (site) => <LastOutcome site={site} /> },
  ];
}

function SiteName({ site: { projectId, title, websiteURL } }: { site: TemplateSite }) {
  if (title === null) return <span class="soft">{templateWords.value.hidden}</span>;
  return (
    <>
      <a class="row-link" href={toHref(`/projects/${projectId}`)}>
        {title}
      </a>
      <span class="soft cut">{toHost(websiteURL ?? "")}</span>
    </>
  );
}

function SiteState({ site }: { site: TemplateSite }) {
  const texts = templateWords.value;
  if (site.behind) return <Badge tone="warn">{texts.behind}</Badge>;
  if (site.liveVersion === null) return <Badge>{texts.unpublished}</Badge>;
  return <Badge tone="good">{texts.current}</Badge>;
}

function LastOutcome({ site }: { site: TemplateSite }) {
  const texts = templateWords.value;
  const { lastStatus, lastMessage, publishedAt, publishable } = site;
  if (!publishable) return <span class="soft">{texts.noRight}</span>;
  if (lastStatus === "Failed")
    return (
      <span title={lastMessage ?? undefined}>
        <Badge tone="bad">{texts.siteStatuses.Failed}</Badge>
      </span>
    );
  if (publishedAt === null) return <span class="soft">{texts.never}</span>;
  return <Ago at={publishedAt} />;
}
