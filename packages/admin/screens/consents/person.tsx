import { useState } from "preact/hooks";
import { type ConsentState, getTokenConsents } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { readOffers, toLocal } from "../../data/consents.ts";
import { hasRight, useRoles } from "../../data/projects/rights.ts";
import { useLoad } from "../../data/use-load.ts";
import { toInstant } from "../../browser/format.ts";
import { go, parameters, toHref } from "../../browser/router.ts";
import { getOwnZone } from "../../browser/time-zones.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { Erase } from "./erase.tsx";
import { History } from "./history.tsx";
import { Proposals } from "./proposals.tsx";
import { Requests } from "./requests.tsx";
import { toSearch } from "./paths.ts";
import { States } from "./states.tsx";

/** Maximum number of state pages that are read. */
const STATE_PAGES_MAX = 10;

/** The answers of a token and its consent state, now or as of an instant. */
export default function Person({
  projectId = "",
  token = "",
}: {
  projectId?: string;
  token?: string;
}) {
  const texts = consentWords.value;
  const roles = useRoles(projectId);
  const [proposed, setProposed] = useState(0);
  const at = parameters.value.get("at") ?? undefined;
  const state = useLoad(() => readState({ projectId, token, at }), [projectId, token, at]);
  const offers = useLoad(() => readOffers(projectId), [projectId]);
  return (
    <Page
      title={token}
      lead={
        <>
          <a class="back" href={toHref(`/projects/${projectId}/consents`)}>
            <Icon name="back" />
            {texts.erase.back}
          </a>
          {texts.person.lead}
        </>
      }
    >
      <div class="cards">
        {at === undefined && (
          <Proposals
            projectId={projectId}
            token={token}
            mayErase={hasRight(roles, "erase")}
            revision={proposed}
            onErased={() => go(`/projects/${projectId}/consents`)}
          />
        )}
        {at === undefined && (
          <Requests projectId={projectId} token={token} mayDecline={hasRight(roles, "erase")} />
        )}
        <Card
          title={at === undefined ? texts.person.state : texts.person.stateAt(toInstant(at))}
          action={<AsOf at={at} />}
        >
          <LoadView of={state} lines={4}>
            {(items) => (
              <States
                items={items}
                nameOf={offers.state === "ready" ? offers.value.nameOf : undefined}
              />
            )}
          </LoadView>
        </Card>
        <LoadView of={offers} lines={2}>
          {(value) => <History asked={{ projectId, token, at }} offers={value} />}
        </LoadView>
        {hasRight(roles, "erase") && at === undefined && (
          <Erase
            projectId={projectId}
            token={token}
            onProposed={() => setProposed((count) => count + 1)}
          />
        )}
      </div>
    </Page>
  );
}

interface StateQuery {
  projectId: string;
  token: string;
  at: string | undefined;
}

/** All pages of a token's state. @throws Problem */
async function readState({ projectId, token, at }: StateQuery): Promise<ConsentState[]> {
  const found: ConsentState[] = [];
  let stateCursor: string | undefined;
  for (let page = 0; page < STATE_PAGES_MAX; page += 1) {
    const query = { limit: 1, ...(at ? { at } : {}), ...(stateCursor ? { stateCursor } : {}) };
    const path = { id: projectId, token };
    const { state, links } = await send(getTokenConsents, { path, query });
    found.push(...state);
    if (links.nextState === undefined) break;
    stateCursor = new URL(links.nextState).searchParams.get("stateCursor") ?? undefined;
  }
  return found;
}

/** Shows the same screen as of an instant, or of now. */
function show(at = ""): void {
  go(toSearch({ at }), { replace: true });
}

/** The as-of form, in the browser's time zone. */
function AsOf({ at }: { at: string | undefined }) {
  const { person, asOf } = consentWords.value;
  const timeZone = getOwnZone();
  return (
    <div class="as-of">
      <Form
        key={at}
        submit={person.show}
        onSubmit={async ({ at: chosen = "" }) =>
          show(chosen === "" ? "" : new Date(chosen).toISOString())
        }
        aside={
          at !== undefined && (
            <button type="button" class="button ghost" onClick={() => show()}>
              {person.present}
            </button>
          )
        }
      >
        <Field
          name="at"
          type="datetime-local"
          label={asOf}
          hint={person.asOfHint(timeZone)}
          value={toLocal(at ?? null)}
        />
      </Form>
    </div>
  );
}
