import { useState } from "preact/hooks";
import { type Organization, getOrganization, patchOrganization } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { base } from "../../browser/base.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { brandWords } from "../../words/brand/words.ts";

const PickAsset = lazy(async () => ({
  default: (await import("../assets/pick.tsx")).PickAsset,
}));

type Brand = NonNullable<Organization["brand"]>;

/** The brand of an organization. */
export function BrandCard({ organizationId }: { organizationId: string }) {
  const texts = brandWords.value;
  const path = { documentId: organizationId };
  const loaded = useLoad(() => send(getOrganization, { path }), [organizationId]);
  return (
    <Card title={texts.title} lead={texts.lead}>
      <LoadView of={loaded} lines={6}>
        {({ brand = {} }) => <BrandForm organizationId={organizationId} brand={brand} />}
      </LoadView>
    </Card>
  );
}

function BrandForm({ organizationId, brand }: { organizationId: string; brand: Brand }) {
  const texts = brandWords.value;
  const [logo, setLogo] = useState(brand.logo);
  const [isPicking, setPicking] = useState(false);
  return (
    <>
      <Form
        submit={texts.save}
        toText={({ path }) => (path === "/brand/color" ? texts.colorFault : texts.emailFault)}
        onSubmit={async (values) => {
          const textOf = (name: keyof Brand): string | null =>
            values[`brand/${name}`]?.trim() || null;
          const body = {
            brand: {
              name: textOf("name"),
              logo: logo ?? null,
              color: textOf("color"),
              supportEmail: textOf("supportEmail"),
              senderName: textOf("senderName"),
              replyTo: textOf("replyTo"),
            },
          };
          await send(patchOrganization, { path: { documentId: organizationId }, body });
          notify(texts.saved);
        }}
      >
        <Field
          name="brand/name"
          label={texts.name}
          hint={texts.nameHint}
          value={brand.name}
          maxLength={80}
        />
        <div class="field">
          <span class="label">{texts.logo}</span>
          {logo === undefined ? (
            <p class="soft">{texts.noLogo}</p>
          ) : (
            <img class="brand-logo" src={`${base}/v1/assets/${logo}`} alt={texts.logo} />
          )}
          <div class="form-end">
            <button type="button" class="button small" onClick={() => setPicking(true)}>
              {texts.chooseLogo}
            </button>
            {logo !== undefined && (
              <button type="button" class="button small" onClick={() => setLogo(undefined)}>
                {texts.removeLogo}
              </button>
            )}
          </div>
        </div>
        <Field
          name="brand/color"
          label={texts.color}
          hint={texts.colorHint}
          value={brand.color}
          placeholder="#0b5a4a"
          maxLength={7}
          isCode
        />
        <Field
          name="brand/supportEmail"
          label={texts.support}
          hint={texts.supportHint}
          value={brand.supportEmail}
          inputMode="email"
          maxLength={254}
          isCode
        />
        <Field
          name="brand/senderName"
          label={texts.sender}
          hint={texts.senderHint}
          value={brand.senderName}
          maxLength={80}
        />
        <Field
          name="brand/replyTo"
          label={texts.replyTo}
          hint={texts.replyToHint}
          value={brand.replyTo}
          inputMode="email"
          maxLength={254}
          isCode
        />
      </Form>
      {isPicking && (
        <PickAsset
          isDocument={false}
          onPick={({ id }) => {
            setLogo(id);
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  );
}
