import { useEffect, useState } from "preact/hooks";
import { type FieldPointer, openFieldsOf } from "@avow/contract/open-fields";
import { listProjects, patchProject } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { type Doc, patchDocument, readDocument } from "../../data/documents/documents.ts";
import { readInheritance, toggleOpen } from "../../data/documents/inheritance.ts";
import { useLoad } from "../../data/use-load.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Choice, Form } from "../../ui/forms/form.tsx";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { templateWords } from "../../words/templates/words.ts";

const TEMPLATES_MAX = 100;

interface CardProps {
  doc: Doc;
  onChange: () => void;
}

/** A project's relation to templates: it is one, follows one, or can do either. For owners. */
export function TemplateCard({ doc, onChange }: CardProps) {
  const texts = templateWords.value;
  if (doc["isTemplate"] === true) return <OwnTemplate doc={doc} onChange={onChange} />;
  if (typeof doc["templateId"] === "string") return <Followed doc={doc} onChange={onChange} />;
  if (typeof doc["organizationId"] !== "string")
    return <Card title={texts.settings}>{<p class="soft">{texts.needsOrganization}</p>}</Card>;
  return <Neither doc={doc} organizationId={doc["organizationId"]} onChange={onChange} />;
}

const parts = ["DPO", "dataProcessor", "colors", "fonts", "widgetStyle"] as const;

/** A template: the parts of the project that its sites may change. */
function OwnTemplate({ doc, onChange }: CardProps) {
  const texts = templateWords.value;
  // The open fields that are being saved, until the project is read again.
  const [saving, setSaving] = useState<readonly FieldPointer[]>();
  useEffect(() => setSaving(undefined), [doc]);
  const open = saving ?? openFieldsOf("projects", doc);
  const toggle = async (field: FieldPointer): Promise<void> => {
    setSaving(toggleOpen(open, field));
    try {
      // The newest version, since the form beside this card saves the project too.
      const version = await readDocument("projects", doc.id);
      const openFields = [...toggleOpen(openFieldsOf("projects", version.doc), field)];
      await patchDocument("projects", version, { openFields });
      notify(texts.saved);
      onChange();
    } catch (error) {
      setSaving(undefined);
      notify(toFaultText(asProblem(error)));
    }
  };
  return (
    <Card title={texts.settings} lead={texts.isTemplate}>
      <fieldset class="row-list">
        <legend>{texts.openParts}</legend>
        {parts.map((part) => (
          <label key={part} class="check">
            <input
              type="checkbox"
              checked={open.includes(`/${part}`)}
              disabled={saving !== undefined}
              onChange={() => void toggle(`/${part}`)}
            />
            <span>{texts.parts[part]}</span>
          </label>
        ))}
      </fieldset>
      <Form
        submit={texts.unmake}
        isPlain
        onSubmit={async () => {
          await send(patchProject, { path: { documentId: doc.id }, body: { isTemplate: false } });
          notify(texts.unmade);
          onChange();
        }}
      >
        {null}
      </Form>
    </Card>
  );
}

/** A site: its template, and the way to leave it. */
function Followed({ doc, onChange }: CardProps) {
  const texts = templateWords.value;
  const [isAsking, setAsking] = useState(false);
  const loaded = useLoad(() => readInheritance(doc), [doc.id]);
  return (
    <Card title={texts.settings}>
      <LoadView of={loaded} lines={2}>
        {(found) => found?.kind === "site" && <p>{texts.follows(found.template.title)}</p>}
      </LoadView>
      <div>
        <button type="button" class="button" onClick={() => setAsking(true)}>
          {texts.leave}
        </button>
      </div>
      {isAsking && (
        <Confirm
          title={texts.leaveTitle}
          text={texts.leaveText}
          submit={texts.leave}
          onConfirm={async () => {
            await send(patchProject, { path: { documentId: doc.id }, body: { templateId: null } });
            notify(texts.left);
            onChange();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

/** A project of an organization, which can become a template or follow one. */
function Neither({ doc, organizationId, onChange }: CardProps & { organizationId: string }) {
  const texts = templateWords.value;
  const [isAsking, setAsking] = useState(false);
  const loaded = useLoad(() => {
    const query = { perPage: TEMPLATES_MAX, sort: "title" };
    return send(listProjects, { query, filter: { organizationId, isTemplate: "true" } });
  }, [organizationId]);
  const templates = loaded.state === "ready" ? loaded.value : [];
  return (
    <Card title={texts.settings} lead={texts.makeLead}>
      <div>
        <button type="button" class="button" onClick={() => setAsking(true)}>
          {texts.make}
        </button>
      </div>
      {templates.length > 0 && (
        <Form
          submit={texts.follow}
          isPlain
          onSubmit={async ({ templateId = "" }) => {
            await send(patchProject, { path: { documentId: doc.id }, body: { templateId } });
            notify(texts.followed);
            onChange();
          }}
        >
          <p class="soft">{texts.followLead}</p>
          <Choice
            name="templateId"
            label={texts.choose}
            value={templates[0]?.id ?? ""}
            options={templates.map(({ id, title = id }) => [id, title])}
          />
        </Form>
      )}
      {isAsking && (
        <Confirm
          title={texts.makeTitle}
          text={texts.makeText}
          submit={texts.make}
          onConfirm={async () => {
            await send(patchProject, { path: { documentId: doc.id }, body: { isTemplate: true } });
            notify(texts.made);
            onChange();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
