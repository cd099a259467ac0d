import { useState } from "preact/hooks";
import { type DomainOut, getDomain, removeDomain, setDomain } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { send } from "../../api/send.ts";
import { toAgo } from "../../browser/format.ts";
import { useLoad } from "../../data/use-load.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { brandWords } from "../../words/brand/words.ts";

/** The host at which clients and visitors of an organization reach the service. */
export function DomainCard({ organizationId }: { organizationId: string }) {
  const { domain: texts } = brandWords.value;
  const loaded = useLoad(() => readDomain(organizationId), [organizationId]);
  return (
    <Card title={texts.title} lead={texts.lead}>
      <LoadView of={loaded} lines={3}>
        {(domain) => <DomainForm organizationId={organizationId} found={domain} />}
      </LoadView>
    </Card>
  );
}

async function readDomain(documentId: string): Promise<DomainOut | undefined> {
  try {
    return await send(getDomain, { path: { documentId } });
  } catch (error) {
    if (error instanceof Problem && error.kind === "not-found") return undefined;
    throw error;
  }
}

function DomainForm({
  organizationId,
  found,
}: {
  organizationId: string;
  found: DomainOut | undefined;
}) {
  const { domain: texts } = brandWords.value;
  const path = { documentId: organizationId };
  const [domain, setShown] = useState(found);
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      {domain && <DomainState domain={domain} />}
      <Form
        submit={domain ? texts.check : texts.set}
        isPlain={domain?.isFound === true}
        toText={() => texts.hostFault}
        aside={
          domain && (
            <button type="button" class="button" onClick={() => setRemoving(true)}>
              {texts.remove}
            </button>
          )
        }
        onSubmit={async ({ host = "" }) =>
          setShown(await send(setDomain, { path, body: { host: host.trim().toLowerCase() } }))
        }
      >
        <Field
          key={domain?.host}
          name="host"
          label={texts.host}
          hint={texts.hostHint}
          value={domain?.host}
          placeholder="consent.agency.example"
          inputMode="url"
          maxLength={253}
          isCode
          required
        />
      </Form>
      {domain && isRemoving && (
        <Confirm
          title={texts.removeTitle(domain.host)}
          text={texts.removeLead}
          submit={texts.remove}
          onConfirm={async () => {
            await send(removeDomain, { path });
            setRemoving(false);
            setShown(undefined);
            notify(texts.removed);
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}

/** Whether links have the domain, with the reason if they do not. */
function DomainState({ domain: { host, url, isFound, fault, checkedAt } }: { domain: DomainOut }) {
  const { domain: texts } = brandWords.value;
  return (
    <div class="note" role="status">
      {isFound ? (
        <p>{texts.found(url)}</p>
      ) : (
        <p>
          {texts.lost(host)} <span lang="en">{fault}.</span>
        </p>
      )}
      <p class="soft">{texts.checked(toAgo(checkedAt))}</p>
    </div>
  );
}
