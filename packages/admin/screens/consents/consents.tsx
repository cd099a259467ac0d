import { readOffers } from "../../data/consents.ts";
import { hasRight, useRoles } from "../../data/projects/rights.ts";
import { useLoad } from "../../data/use-load.ts";
import { go, parameters } from "../../browser/router.ts";
import { Page } from "../../ui/page.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { Answers } from "./answers.tsx";
import { OwnPages } from "./own-pages.tsx";
import { People } from "./people.tsx";
import { Proposals } from "./proposals.tsx";
import { Requests } from "./requests.tsx";
import { toSearch } from "./paths.ts";

/** The search for consents: single answers, or tokens. */
export default function Consents({ projectId = "" }: { projectId?: string }) {
  const texts = consentWords.value;
  const roles = useRoles(projectId);
  const offers = useLoad(() => readOffers(projectId), [projectId]);
  const view = parameters.value.get("view") === "people" ? "people" : "answers";
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Proposals projectId={projectId} mayErase={hasRight(roles, "erase")} />
      <Requests projectId={projectId} mayDecline={hasRight(roles, "erase")} />
      <Tabs
        label={texts.tabs.label}
        tabs={[
          ["answers", texts.tabs.answers],
          ["people", texts.tabs.people],
        ]}
        value={view}
        onChange={(next) => go(toSearch({ view: next }), { replace: true })}
      >
        <LoadView of={offers} lines={8}>
          {(value) => (
            <div class="found">
              {view === "people" ? (
                <People projectId={projectId} offers={value} />
              ) : (
                <Answers projectId={projectId} offers={value} />
              )}
            </div>
          )}
        </LoadView>
      </Tabs>
      {hasRight(roles, "write") && <OwnPages projectId={projectId} />}
    </Page>
  );
}
