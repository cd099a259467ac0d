import { createProject } from "../../api/interface.ts";
import { send } from "../../api/send.ts";
import { go } from "../../router.ts";
import { Field, Form } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";

/** A host with a dot, or a whole address. */
const addressPattern = String.raw`\s*(https?:\/\/[^\s\/?#]\S*|[^\s\/?#:]+\.[^\s\/?#]{2,}(\/\S*)?)\s*`;

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

/** What somebody typed as a whole address. */
function toAddress(typed: string): string {
  const trimmed = typed.trim();
  return /^https?:\/\//.test(trimmed) ? trimmed : `https://${trimmed}`;
}
