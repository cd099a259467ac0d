import { useState } from "preact/hooks";
import {
  type ErasureRequest,
  declineErasureRequest,
  listErasureRequests,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Ago, Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { toTokenPath } from "./paths.ts";

const LIMIT = 100;

interface RequestsProps {
  projectId: string;
  /** Only the request of this token. */
  token?: string;
  /** Whether the user may decline requests. */
  mayDecline: boolean;
}

/** Open requests for erasure with their due dates, the first due first. Shows nothing if there are none. */
export function Requests({ projectId, token, mayDecline }: RequestsProps) {
  const { requests: texts } = consentWords.value;
  const [declined, setDeclined] = useState<ErasureRequest>();
  const query = { limit: LIMIT, ...(token === undefined ? {} : { token }) };
  const loaded = useLoad(
    () => send(listErasureRequests, { path: { id: projectId }, query }),
    [projectId, token],
  );
  if (loaded.state !== "ready" || loaded.value.items.length === 0) return null;
  const { items, links } = loaded.value;
  return (
    <Card title={texts.title} lead={texts.lead}>
      <div class="table-card">
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">{texts.token}</th>
              <th scope="col">{texts.requested}</th>
              <th scope="col">{texts.due}</th>
              {mayDecline && (
                <th scope="col">
                  <span class="hidden">{texts.decline}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {items.map((request) => (
              <tr key={request.id}>
                <th scope="row" class="narrow-cell">
                  <a class="code cut" href={toHref(toTokenPath(projectId, request.token))}>
                    {request.token}
                  </a>
                </th>
                <td data-label={texts.requested}>
                  <Ago at={request.requestedAt} />
                </td>
                <td data-label={texts.due}>{toDay(request.dueAt)}</td>
                {mayDecline && (
                  <td>
                    <button type="button" class="button" onClick={() => setDeclined(request)}>
                      {texts.decline}
                    </button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {links.next !== undefined && <p class="note">{texts.more}</p>}
      {declined && (
        <Dialog title={texts.dialog} lead={texts.text} onClose={() => setDeclined(undefined)}>
          <Form
            submit={texts.submit}
            onSubmit={async () => {
              const path = { id: projectId, requestId: declined.id };
              await send(declineErasureRequest, { path });
              setDeclined(undefined);
              loaded.reload();
              notify(texts.declined);
            }}
          >
            <p class="code">{declined.token}</p>
          </Form>
        </Dialog>
      )}
    </Card>
  );
}
