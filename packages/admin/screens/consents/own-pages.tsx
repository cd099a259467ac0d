import { getProject, patchProject } from "@avow/client/operations";
import { sendWhole } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { consentWords } from "../../words/consents/words.ts";

/** The setting that lets visitors create links to their own page. */
export function OwnPages({ projectId }: { projectId: string }) {
  const { ownPages } = consentWords.value;
  const path = { documentId: projectId };
  const loaded = useLoad(async () => {
    const { body, headers } = await sendWhole(getProject, { path });
    return { project: body, etag: headers.get("etag") ?? "" };
  }, [projectId]);
  return (
    <Card title={ownPages.title} lead={ownPages.lead}>
      <LoadView of={loaded} lines={2}>
        {({ project, etag }) => (
          <Form
            key={etag}
            submit={ownPages.save}
            isPlain
            onSubmit={async ({ visitorLinks }) => {
              const body = { personPage: { visitorLinks: visitorLinks === "on" } };
              await sendWhole(patchProject, { path, body, ifMatch: etag });
              loaded.reload();
              notify(ownPages.saved);
            }}
          >
            <label class="check">
              <input
                type="checkbox"
                name="visitorLinks"
                defaultChecked={project.personPage?.visitorLinks !== false}
              />
              <span>
                {ownPages.visitorLinks}
                <small>{ownPages.visitorLinksHint}</small>
              </span>
            </label>
          </Form>
        )}
      </LoadView>
    </Card>
  );
}
