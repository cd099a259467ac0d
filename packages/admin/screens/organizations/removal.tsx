import { useState } from "preact/hooks";
import { deleteOrganization, getOrganizationBilling } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { readProjectsOf } from "../../data/projects/organizations.ts";
import { useLoad } from "../../data/use-load.ts";
import { go } from "../../browser/router.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { organizationWords } from "../../words/organizations/words.ts";

interface RemovalProps {
  id: string;
  name: string;
}

/** Deletes an organization without projects and subscription, after an owner has typed its name. */
export function Removal({ id, name }: RemovalProps) {
  const { home } = organizationWords.value;
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title={home.remove} lead={home.removeLead}>
      <div>
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          {home.removeButton}
        </button>
      </div>
      {isAsking && <RemovalDialog id={id} name={name} onClose={() => setAsking(false)} />}
    </Card>
  );
}

/** The reason why it cannot be deleted, in the words of the app; undefined: none known. @throws Problem */
async function readRefusal(id: string): Promise<string | undefined> {
  const { home } = organizationWords.value;
  const [{ total }, { status }] = await Promise.all([
    readProjectsOf(id, { page: 1, perPage: 1 }),
    send(getOrganizationBilling, { path: { organizationId: id } }),
  ]);
  if (total > 0) return home.removeHeld(total);
  return status === "none" || status === "canceled" ? undefined : home.removePaid;
}

function RemovalDialog({ id, name, onClose }: RemovalProps & { onClose: () => void }) {
  const { home } = organizationWords.value;
  const loaded = useLoad(() => readRefusal(id), [id]);
  return (
    <LoadView of={loaded} lines={1}>
      {(refusal) => (
        <Confirm
          title={home.removeTitle(name)}
          text={home.removeText}
          submit={home.removeButton}
          isDanger
          refusal={refusal}
          typed={{ text: name, label: home.removeConfirm, wrong: home.removeWrong }}
          onConfirm={async () => {
            await send(deleteOrganization, { path: { documentId: id } });
            go("/organizations");
            notify(home.removed(name));
          }}
          onClose={onClose}
        />
      )}
    </LoadView>
  );
}
