import { useState } from "preact/hooks";
import { consentToolNames } from "@avow/contract/consent-tools";
import { toSize } from "../../browser/format.ts";
import { addressPattern, toAddress } from "../../data/projects/website.ts";
import { FileChoice } from "../../ui/forms/file-choice.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Card } from "../../ui/parts.tsx";
import { moveInWords } from "../../words/move-in/words.ts";
import { ProposalCard } from "./proposal.tsx";
import { type Conversion, type GivenFiles, convertFiles } from "./convert.ts";
import { ReportCard } from "./report.tsx";

/** A project from the configuration of another consent product, which this browser reads. */
export default function MoveIn() {
  const texts = moveInWords.value;
  const [conversion, setConversion] = useState<Conversion>();
  return (
    <Page title={texts.title} lead={texts.lead}>
      <FilesCard onConverted={setConversion} />
      {conversion && (
        <>
          <ProposalCard key={conversion.id} conversion={conversion} />
          <ReportCard conversion={conversion} />
        </>
      )}
    </Page>
  );
}

function FilesCard({ onConverted }: { onConverted: (conversion?: Conversion) => void }) {
  const texts = moveInWords.value;
  const [fault, setFault] = useState<{ text: string; language?: string }>();
  const names = Object.values(consentToolNames).join(", ");
  const read = async (given: GivenFiles): Promise<void> => {
    onConverted();
    setFault(undefined);
    const result = await convertFiles(given);
    if (result.kind === "converted") onConverted(result.conversion);
    else if (result.kind === "too large")
      setFault({ text: texts.tooLarge(result.name, toSize(result.bytesMax)) });
    // The reasons of the converter are in English.
    else setFault({ text: result.reason, language: "en" });
  };
  return (
    <Card title={texts.files} lead={`${texts.filesLead} ${texts.products(names)}`}>
      <Form
        submit={texts.read}
        onSubmit={async ({ site = "" }, data) => {
          const files = data.getAll("files").filter((one) => one instanceof File && one.size > 0);
          if (files.length === 0) setFault({ text: texts.filesNeeded });
          else
            await read({
              files: files as File[],
              site: site === "" ? undefined : toAddress(site),
              adoptsAnswers: data.get("adopt") !== null,
            });
        }}
      >
        <FileChoice
          name="files"
          label={texts.choose}
          hint={texts.chooseHint}
          multiple
          fault={fault?.text}
          lang={fault?.language}
        />
        <Field
          name="site"
          label={texts.site}
          hint={texts.siteHint}
          placeholder="shop.example"
          inputMode="url"
          pattern={addressPattern}
          maxLength={2_048}
          isCode
        />
        <label class="check">
          <input type="checkbox" name="adopt" />
          <span>
            {texts.adopt}
            <small>{texts.adoptHint}</small>
          </span>
        </label>
      </Form>
    </Card>
  );
}
