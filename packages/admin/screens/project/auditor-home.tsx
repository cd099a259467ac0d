import { getClientProject } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { type Visits, readVisits } from "../../data/projects/project-state.ts";
import { toNumber, toPercent } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Ago, Card } from "../../ui/parts.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import { words } from "../../words/words.ts";

/** The data of an auditor's overview, without configurations. */
export interface Audited {
  id: string;
  name: string;
  visits: Visits;
}

/** Reads the data of an auditor's overview. @throws Problem */
export async function readAudited(projectId: string): Promise<Audited> {
  const [{ id, name }, visits] = await Promise.all([
    send(getClientProject, { path: { id: projectId } }),
    readVisits(projectId),
  ]);
  return { id, name, visits };
}

/** The overview of a project for an auditor: recent answers, and links to the evidence. */
export function AuditorHome({ audited: { id, name, visits } }: { audited: Audited }) {
  const { audited, sections, seen } = words.value.project;
  const { shown, answered, rate, days, last } = visits;
  const ways: [to: string, icon: IconName, title: string, text: string][] = [
    ["consents", "answers", sections.consents, audited.consents],
    ["statistics", "chart", sections.statistics, audited.statistics],
    ["transfers", "exchange", sections.transfers, audited.transfers],
    ["audit", "book", sections.audit, audited.audit],
    ["log", "seal", sections.log, audited.log],
  ];
  return (
    <Page title={name} lead={audited.lead}>
      <div class="cards">
        <Card title={audited.answers}>
          <p>
            {answered === 0 ? audited.unanswered : audited.answered(toNumber(answered))}{" "}
            {shown > 0 && seen.shown(toNumber(shown))}{" "}
            {last && (
              <>
                {seen.last} <Ago at={last.createdAt} />.
              </>
            )}
          </p>
          {rate !== undefined && (
            <p class="rate">
              <Sparkline values={days} />
              {audited.rate(toPercent(rate))}
            </p>
          )}
        </Card>
        <Card title={audited.ways}>
          <ul class="ways">
            {ways.map(([to, icon, title, text]) => (
              <li key={to}>
                <Icon name={icon} />
                <span>
                  <a href={toHref(`/projects/${id}/${to}`)}>{title}</a>
                  <span class="soft under">{text}</span>
                </span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </Page>
  );
}
