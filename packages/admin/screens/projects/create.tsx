import { createProject, startScan } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { toAddress } from "../../data/projects/website.ts";
import { go, toHref } from "../../browser/router.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { WebsiteField } from "../../ui/forms/website-field.tsx";
import { Page } from "../../ui/page.tsx";
import { notify } from "../../ui/toast.tsx";
import { words } from "../../words/words.ts";

/** Enough for the services of most websites, and short. */
const PAGES = 3;

/** A new project from the address of a website, whose scan starts at once. */
export default function CreateProject() {
  const { create } = words.value;
  return (
    <Page title={create.title} lead={create.lead} isNarrow>
      <div class="card">
        <Form
          submit={create.button}
          aside={
            <>
              <a href={toHref("/projects/move-in")}>{create.moveIn}</a>
              <a href={toHref("/projects/bulk")}>{create.bulk}</a>
            </>
          }
          onSubmit={async ({ websiteURL = "", title = "" }) => {
            const address = toAddress(websiteURL);
            const body = { websiteURL: address, title: title.trim() || toHostName(address) };
            const { id } = await send(createProject, { body });
            await scan(id);
            go(`/projects/${id}/start`, { replace: true });
          }}
        >
          <WebsiteField
            name="websiteURL"
            label={create.address}
            placeholder="shop.example"
            autoComplete="url"
            required
          />
          <Field name="title" label={create.name} hint={create.nameHint} maxLength={200} />
        </Form>
      </div>
    </Page>
  );
}

function toHostName(address: string): string {
  return URL.parse(address)?.hostname.replace(/^www\./, "") ?? address;
}

/** Starts the first scan. The project exists already, so that a service without scans gets a notification only. */
async function scan(projectId: string): Promise<void> {
  try {
    await send(startScan, { path: { projectId }, body: { pages: PAGES } });
  } catch (error) {
    notify(toFaultText(asProblem(error)));
  }
}
