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
import { Pager } from "../../ui/pager.tsx";
import { Empty } from "../../ui/parts.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { Column } from "../../ui/table/table.tsx";
import { useTableView } from "../../ui/table/table-view.ts";
import { organizationWords } from "../../words/organizations/words.ts";

/** Page size: small, because the projects of each organization are counted. */
const PER_PAGE = 12;
const sorts = ["name", "-name", "createdAt", "-createdAt"] as const;

/** The user's organizations. */
export default function Organizations() {
  const texts = organizationWords.value;
  const view = useTableView({ name: "organizations", sort: "name" });
  const { page } = view;
  const sort = sorts.find((one) => one === view.sort) ?? "name";
  const [isCreating, setCreating] = useState(false);
  const loaded = useLoad(async () => {
    const query = { page, perPage: PER_PAGE, sort };
    const { body, headers } = await sendWhole(listOrganizations, { query });
    return { all: body, total: Number(headers.get("x-total-count")) };
  }, [page, sort]);
  const isEmpty = loaded.state === "ready" && loaded.value.total === 0;
  const create = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      {texts.create}
    </button>
  );
  return (
    <Page title={texts.title} lead={texts.lead} actions={!isEmpty && create}>
      <DataTable
        caption={texts.title}
        view={view}
        columns={toColumns()}
        loaded={loaded}
        toRows={({ all }) => all}
        toKey={({ id }) => id}
        toName={toName}
        lines={5}
        isShort={isEmpty}
        empty={() => (
          <Empty icon="building" title={texts.emptyTitle} text={texts.empty}>
            {create}
          </Empty>
        )}
        below={({ total }) => (
          <Pager page={page} perPage={PER_PAGE} total={total} onPage={view.setPage} />
        )}
      />
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

function toColumns(): readonly Column<Organization>[] {
  const texts = organizationWords.value;
  return [
    {
      id: "name",
      title: texts.one,
      order: "service",
      text: toName,
      cell: (one) => (
        <a class="row-link" href={toHref(`/organizations/${one.id}`)}>
          {toName(one)}
        </a>
      ),
    },
    { id: "projects", title: texts.projects, cell: ({ id }) => <Count organizationId={id} /> },
    {
      id: "createdAt",
      title: texts.since,
      order: "service",
      text: ({ createdAt }) => toDay(createdAt),
    },
  ];
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
