import { type CreatedProposal, createProposed } from "../../data/projects/move-in.ts";
import { toAddress } from "../../data/projects/website.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { WebsiteField } from "../../ui/forms/website-field.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { moveInWords } from "../../words/move-in/words.ts";
import { words } from "../../words/words.ts";
import type { Conversion } from "./convert.ts";

/** The proposed project: its banner in short, and a form to create it. */
export function ProposalCard({
  conversion,
  onCreated,
}: {
  conversion: Conversion;
  onCreated: (created: CreatedProposal & { title: string }) => void;
}) {
  const texts = moveInWords.value;
  const { create } = words.value;
  const { product, proposal, report } = conversion;
  const { project, cookies } = proposal;
  const languages = cookies.map(({ language }) => language).join(", ");
  return (
    <Card
      title={texts.found(product.name)}
      lead={<span lang="en">{report.disclaimer}</span>}
      action={
        <Badge>
          {texts.languages}: {languages}
        </Badge>
      }
    >
      <Categories steps={cookies[0]?.steps ?? []} />
      <Form
        submit={texts.create}
        onSubmit={async ({ websiteURL = "", title = "" }) => {
          const own = { ...project, websiteURL: toAddress(websiteURL), title };
          onCreated({ ...(await createProposed({ ...proposal, project: own })), title });
        }}
      >
        <WebsiteField
          name="websiteURL"
          label={create.address}
          value={project.websiteURL}
          required
        />
        <Field name="title" label={create.name} value={project.title} maxLength={200} required />
      </Form>
    </Card>
  );
}

type Step = NonNullable<Conversion["proposal"]["cookies"][number]["steps"]>[number];

/** The vendors of a step. The converter names none of the catalogue, which are texts. */
function listVendors({ vendors = [] }: Step) {
  return vendors.filter((vendor) => typeof vendor !== "string");
}

function Categories({ steps }: { steps: readonly Step[] }) {
  const texts = moveInWords.value;
  return (
    <ul class="findings" aria-label={texts.categories}>
      {steps
        .map((step) => ({ ...step, vendors: listVendors(step) }))
        .filter(({ vendors }) => vendors.length > 0)
        .map(({ name, title, vendors }) => (
          <li key={name}>
            <details>
              <summary>
                <Badge>{texts.vendors(vendors.length)}</Badge>
                <span>
                  {title}{" "}
                  {vendors.every(({ required }) => required === true) && (
                    <span class="soft">({texts.always})</span>
                  )}
                </span>
              </summary>
              <p>{vendors.map((vendor) => vendor.title).join(", ")}</p>
            </details>
          </li>
        ))}
    </ul>
  );
}
