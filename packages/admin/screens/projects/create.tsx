import { createProject } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { addressPattern, toAddress } from "../../data/projects/website.ts";
import { go } from "../../browser/router.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Page } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";

/** A new project, from an address and a title. */
export default function CreateProject() {
  const { create } = words.value;
  return (
    <Page title={create.title} lead={create.lead} isNarrow>
      <div class="card">
        <Form
          submit={create.button}
          onSubmit={async ({ websiteURL = "", title = "" }) => {
            const body = { websiteURL: toAddress(websiteURL), title };
            const { id } = await send(createProject, { body });
            go(`/projects/${id}/start`, { replace: true });
          }}
        >
          <Field
            name="websiteURL"
            label={create.address}
            placeholder="shop.example"
            inputMode="url"
            autoComplete="url"
            isCode
            pattern={addressPattern}
            maxLength={2_048}
            required
          />
          <Field name="title" label={create.name} hint={create.nameHint} maxLength={200} required />
        </Form>
      </div>
    </Page>
  );
}
