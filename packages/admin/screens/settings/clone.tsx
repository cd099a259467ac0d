import { useState } from "preact/hooks";
import { duplicateProject } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { titles } from "../../data/projects/project.ts";
import { toAddress } from "../../data/projects/website.ts";
import { go } from "../../browser/router.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { WebsiteField } from "../../ui/forms/website-field.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { sitesWords } from "../../words/sites/words.ts";

/** Copies a project to another website. */
export function CloneCard({ projectId }: { projectId: string }) {
  const texts = sitesWords.value.clone;
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={texts.title} lead={texts.lead}>
      <div>
        <button type="button" class="button" onClick={() => setOpen(true)}>
          {texts.button}
        </button>
      </div>
      {isOpen && <CloneDialog projectId={projectId} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function CloneDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const texts = sitesWords.value.clone;
  return (
    <Dialog
      title={texts.dialogTitle(titles.value[projectId] ?? "")}
      lead={texts.dialogLead}
      onClose={onClose}
    >
      <Form
        submit={texts.submit}
        onSubmit={async ({ title = "", websiteURL = "" }, data) => {
          const body = {
            title: title.trim(),
            websiteURL: toAddress(websiteURL),
            withConfigurations: data.get("configurations") !== null,
          };
          const copy = await send(duplicateProject, { path: { documentId: projectId }, body });
          onClose();
          go(`/projects/${copy.id}`);
          notify(texts.done(body.title));
        }}
      >
        <Field name="title" label={texts.name} maxLength={200} required />
        <WebsiteField name="websiteURL" label={texts.address} placeholder="shop.example" required />
        <label class="check">
          <input type="checkbox" name="configurations" defaultChecked />
          <span>
            {texts.configurations}
            <small>{texts.configurationsHint}</small>
          </span>
        </label>
      </Form>
    </Dialog>
  );
}
