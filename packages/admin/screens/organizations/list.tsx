import { useState } from "preact/hooks";
import {
  type Organization,
  createOrganization,
  listOrganizations,
  listProjects,
} from "@avow/client/operations";
import { send, sendWhole } from "../../api/send.ts";
import { toName } from "../../data/projects/organizations.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay } from "../../browser/format.ts";
import { go, toHref } from "../../browser/router.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePage } from "../../ui/pager.tsx";
import { Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { organizationWords } from "../../words/organizations/words.ts";

/** Page size: small, because the projects of each organization are counted. */
const PER_PAGE = 12;

/** The user's organizations. */
export default function Organizations() {
  const texts = organizationWords.value;
  const [page, setPage] = usePage();
  const [isCreating, setCreating] = useState(false);
  const loaded = useLoad(async () => {
    const query = { page, perPage: PER_PAGE, sort: "name" };
    const { body, headers } = await sendWhole(listOrganizations, { query });
    return { all: body, total: Number(headers.get("x-total-count")) };
  }, [page]);
  const isEmpty = loaded.state === "ready" && loaded.value.total === 0;
  const create = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      {texts.create}
    </button>
  );
  return (
    <Page title={texts.title} lead={texts.lead} actions={!isEmpty && create}>
      <LoadView of={loaded} lines={5}>
        {({ all, total }) =>
          total === 0 ? (
            <Empty icon="building" title={texts.emptyTitle} text={texts.empty}>
              {create}
            </Empty>
          ) : (
            <>
              <Table all={all} />
              <Pager page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
            </>
          )
        }
      </LoadView>
      {isCreating && <Create onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Create({ onClose }: { onClose: () => void }) {
  const texts = organizationWords.value;
  return (
    <Dialog title={texts.create} lead={texts.createLead} onClose={onClose}>
      <Form
        submit={texts.createButton}
        onSubmit={async ({ name = "" }) => {
          const made = await send(createOrganization, { body: { name } });
          go(`/organizations/${made.id}`);
        }}
      >
        <Field
          name="name"
          label={texts.name}
          autoComplete="organization"
          maxLength={200}
          required
        />
      </Form>
    </Dialog>
  );
}

function Table({ all }: { all: readonly Organization[] }) {
  const texts = organizationWords.value;
  return (
    <div class="table-card">
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{texts.one}</th>
            <th scope="col">{texts.projects}</th>
            <th scope="col">{texts.since}</th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <a class="row-link" href={toHref(`/organizations/${one.id}`)}>
                  {toName(one)}
                </a>
              </th>
              <td data-label={texts.projects}>
                <Count organizationId={one.id} />
              </td>
              <td data-label={texts.since}>{toDay(one.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The number of projects of an organization. */
function Count({ organizationId }: { organizationId: string }) {
  const loaded = useLoad(async () => {
    const asked = { query: { perPage: 1 }, filter: { organizationId } };
    return Number((await sendWhole(listProjects, asked)).headers.get("x-total-count"));
  }, [organizationId]);
  if (loaded.state === "loading") return <span class="soft">…</span>;
  if (loaded.state === "failed") return <span class="soft">–</span>;
  return <>{organizationWords.value.count(loaded.value)}</>;
}
