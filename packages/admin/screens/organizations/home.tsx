import { patchOrganization } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { readOrganization, toName } from "../../data/projects/organizations.ts";
import { hasRight, useOrganizationRoles } from "../../data/projects/rights.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { BrandCard } from "./brand.tsx";
import { DomainCard } from "./domain.tsx";
import { Removal } from "./removal.tsx";
import { ProjectsCard } from "./projects.tsx";

/** An organization: its projects, name and deletion. */
export default function OrganizationHome({ organizationId = "" }: { organizationId?: string }) {
  const texts = organizationWords.value;
  const roles = useOrganizationRoles(organizationId);
  const loaded = useLoad(() => readOrganization(organizationId), [organizationId]);
  return (
    <Page
      title={loaded.state === "ready" ? loaded.value.name : texts.one}
      lead={
        <a class="back" href={toHref("/organizations")}>
          <Icon name="back" />
          {texts.back}
        </a>
      }
    >
      <LoadView of={loaded} lines={6}>
        {({ id, name }) => (
          <div class="cards">
            <ProjectsCard
              organizationId={id}
              mayWrite={hasRight(roles, "write")}
              mayTakeOut={hasRight(roles, "own")}
            />
            {hasRight(roles, "write") && <Rename id={id} name={name} onDone={loaded.reload} />}
            {hasRight(roles, "write") && <BrandCard key={`brand-${id}`} organizationId={id} />}
            {hasRight(roles, "own") && <DomainCard key={`domain-${id}`} organizationId={id} />}
            {hasRight(roles, "own") && <Removal id={id} name={name} />}
          </div>
        )}
      </LoadView>
    </Page>
  );
}

interface RenameProps {
  id: string;
  name: string;
  onDone: () => void;
}

function Rename({ id, name: present, onDone }: RenameProps) {
  const { home } = organizationWords.value;
  return (
    <Card title={home.rename}>
      <Form
        submit={home.save}
        onSubmit={async ({ name = "" }) => {
          toName(await send(patchOrganization, { path: { documentId: id }, body: { name } }));
          notify(home.renamed);
          onDone();
        }}
      >
        <Field
          name="name"
          label={home.rename}
          isLabelHidden
          value={present}
          autoComplete="organization"
          maxLength={200}
          required
        />
      </Form>
    </Card>
  );
}
