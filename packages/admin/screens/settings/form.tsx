import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Finding } from "@avow/client/operations";
import type { Doc, Version } from "../../data/documents/documents.ts";
import type { Conflict } from "../../data/documents/draft.ts";
import { takeTheirs } from "../../data/documents/merge.ts";
import { titles } from "../../data/projects/project.ts";
import { saveProject, textAt, withTexts } from "../../data/documents/settings.ts";
import { toAddress } from "../../data/projects/website.ts";
import { parameters } from "../../browser/router.ts";
import { Area, Field, Form, type Values } from "../../ui/forms/form.tsx";
import { WebsiteField } from "../../ui/forms/website-field.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { projectWords } from "../../words/projects/words.ts";
import { FindingNotes } from "../fields/bound.tsx";
import { ConflictDialog } from "../fields/conflict.tsx";
import { toSetting } from "../fields/link.tsx";

interface SettingsFormProps {
  read: Version;
  findings: readonly Finding[];
  mayWrite: boolean;
  onSaved: () => void;
}

/** The base version and the document shown in the form. A new revision remounts the fields. */
interface Present {
  base: Version;
  shown: Doc;
  revision: number;
}

/** The settings form. If somebody else saved the same fields, a dialog shows both versions. */
export function SettingsForm({ read, findings, mayWrite, onSaved }: SettingsFormProps) {
  const texts = projectWords.value;
  const [present, setPresent] = useState<Present>({ base: read, shown: read.doc, revision: 0 });
  const [met, setMet] = useState<{ conflict: Conflict; mine: Doc }>();
  const { base, shown, revision } = present;
  const fields = <Fields key={revision} doc={shown} findings={findings} readOnly={!mayWrite} />;
  useFieldOfAddress();
  const save = async (typed: Values): Promise<void> => {
    const values = { ...typed, websiteURL: toAddress(typed["websiteURL"] ?? "") };
    const outcome = await saveProject(base, withTexts(base.doc, values));
    if ("conflict" in outcome) return setMet(outcome);
    const { saved, isChanged } = outcome;
    const isAsTyped = Object.entries(typed).every(
      ([name, text]) => text === textAt(saved.doc, name),
    );
    setPresent({ base: saved, shown: saved.doc, revision: isAsTyped ? revision : revision + 1 });
    titles.value = { ...titles.peek(), [saved.doc.id]: textAt(saved.doc, "title") };
    onSaved();
    notify(isChanged ? texts.saved : texts.unchanged);
  };
  if (!mayWrite)
    return (
      <>
        <p class="note">{texts.readOnly}</p>
        {fields}
      </>
    );
  return (
    <>
      <Form submit={texts.save} onSubmit={save}>
        {fields}
      </Form>
      {met && (
        <ConflictDialog
          projectId={base.doc.id}
          conflict={met.conflict}
          onSettle={(taken) => {
            const { theirs } = met.conflict;
            const settled = takeTheirs(met.mine, theirs.doc, taken);
            setPresent({ base: theirs, shown: settled, revision: revision + 1 });
            notify(texts.merged);
          }}
          onClose={() => setMet(undefined)}
        />
      )}
    </>
  );
}

/** Focuses the field named in the address, as links from findings do. */
function useFieldOfAddress(): void {
  useEffect(() => {
    const [field] = document.getElementsByName(parameters.peek().get("field") ?? "");
    field?.focus();
  }, []);
}

interface FieldsProps {
  doc: Doc;
  findings: readonly Finding[];
  readOnly: boolean;
}

const LINE_LENGTH_MAX = 1_000;

function Fields({ doc, findings, readOnly }: FieldsProps) {
  const texts = projectWords.value;
  const noteOf = (name: string): ComponentChildren => {
    const own = findings.filter((one) => toSetting(one) === name);
    return own.length > 0 && <FindingNotes findings={own} />;
  };
  const line = (name: string) => ({
    name,
    readOnly,
    value: textAt(doc, name),
    maxLength: LINE_LENGTH_MAX,
    note: noteOf(name),
  });
  const area = (name: string) => ({
    name,
    readOnly,
    value: textAt(doc, name),
    maxLength: 20_000,
    isProse: true,
  });
  return (
    <>
      <Card title={texts.site} lead={texts.siteLead}>
        <Field {...line("title")} label={texts.name} required />
        <WebsiteField {...line("websiteURL")} label={texts.websiteURL} required />
      </Card>
      <Card title={texts.officer} lead={texts.officerLead}>
        <Field {...line("DPO/organization")} label={texts.organization} />
        <Area {...area("DPO/address")} label={texts.address} />
        <Field {...line("DPO/fullname")} label={texts.fullname} hint={texts.fullnameHint} />
        <Field {...line("DPO/title")} label={texts.role} />
        <Field
          {...line("DPO/email")}
          label={texts.email}
          hint={texts.emailHint}
          inputMode="email"
        />
      </Card>
      <Card title={texts.processor} lead={texts.processorLead}>
        {/* The API also accepts a single line, which is kept as such. */}
        {typeof doc["dataProcessor"] === "string" ? (
          <Field {...line("dataProcessor")} label={texts.processorName} />
        ) : (
          <>
            <Field {...line("dataProcessor/organization")} label={texts.organization} />
            <Area {...area("dataProcessor/address")} label={texts.address} />
            <Field {...line("dataProcessor/email")} label={texts.email} inputMode="email" />
          </>
        )}
      </Card>
    </>
  );
}
