import { useState } from "preact/hooks";
import { Problem } from "@avow/client/problem";
import { consentToolNames } from "@avow/contract/consent-tools";
import { toSize } from "../../browser/format.ts";
import { toAddress } from "../../data/projects/website.ts";
import { FileChoice } from "../../ui/forms/file-choice.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { WebsiteField } from "../../ui/forms/website-field.tsx";
import { Card } from "../../ui/parts.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { moveInWords } from "../../words/move-in/words.ts";
import { type Conversion, convertAddress, convertFiles } from "./convert.ts";

type Converting = ReturnType<typeof convertFiles>;
type Fault = { text: string; language?: string } | undefined;

interface SourceProps {
  /** Called without a conversion when another source is read. */
  onConverted: (conversion?: Conversion) => void;
}

/** The address or the files of the old configuration. */
export function SourceCard({ onConverted }: SourceProps) {
  const texts = moveInWords.value;
  const [tab, setTab] = useState<"address" | "files">("address");
  const [fault, setFault] = useState<Fault>();
  const names = Object.values(consentToolNames).join(", ");
  const show = async (reading: () => Converting): Promise<void> => {
    onConverted();
    setFault(undefined);
    const result = await reading();
    if (result.kind === "converted") onConverted(result.conversion);
    else if (result.kind === "too large")
      setFault({ text: texts.tooLarge(result.name, toSize(result.bytesMax)) });
    // The reasons of the converter are in English.
    else setFault({ text: result.reason, language: "en" });
  };
  const turn = (value: typeof tab): void => {
    setFault(undefined);
    setTab(value);
  };
  return (
    <Card title={texts.source} lead={texts.products(names)}>
      <Tabs
        label={texts.source}
        tabs={[
          ["address", texts.fromAddress],
          ["files", texts.fromFiles],
        ]}
        value={tab}
        onChange={turn}
      >
        {tab === "address" ? (
          <AddressForm fault={fault} onFault={setFault} onRead={show} />
        ) : (
          <FilesForm fault={fault} onFault={setFault} onRead={show} />
        )}
      </Tabs>
    </Card>
  );
}

interface FormProps {
  fault: Fault;
  onFault: (fault: Fault) => void;
  onRead: (reading: () => Converting) => Promise<void>;
}

function AddressForm({ fault, onFault, onRead }: FormProps) {
  const texts = moveInWords.value;
  const [isReading, setReading] = useState(false);
  const read = async (address: string, adoptsAnswers: boolean): Promise<void> => {
    setReading(true);
    try {
      await onRead(() => convertAddress(toAddress(address), { adoptsAnswers }));
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== "impossible") throw error;
      // The service says in English what its request to the site met.
      onFault({ text: error.detail, language: "en" });
    } finally {
      setReading(false);
    }
  };
  return (
    <Form
      submit={texts.readAddress}
      aside={
        <p class="soft" role="status">
          {isReading && texts.reading}
        </p>
      }
      onSubmit={({ address = "" }, data) => read(address, data.get("adopt") !== null)}
    >
      <p class="soft">{texts.addressLead}</p>
      <WebsiteField
        name="address"
        label={texts.address}
        hint={texts.addressHint}
        placeholder="shop.example"
        required
      />
      <AdoptChoice />
      {fault && (
        <div class="note bad" role="alert">
          <p lang={fault.language}>{fault.text}</p>
        </div>
      )}
    </Form>
  );
}

function FilesForm({ fault, onFault, onRead }: FormProps) {
  const texts = moveInWords.value;
  return (
    <Form
      submit={texts.read}
      onSubmit={async ({ site = "" }, data) => {
        const files = data
          .getAll("files")
          .filter((one): one is File => one instanceof File && one.size > 0);
        if (files.length === 0) return onFault({ text: texts.filesNeeded });
        const adoptsAnswers = data.get("adopt") !== null;
        const address = site === "" ? undefined : toAddress(site);
        await onRead(() => convertFiles({ files, site: address, adoptsAnswers }));
      }}
    >
      <p class="soft">{texts.filesLead}</p>
      <FileChoice
        name="files"
        label={texts.choose}
        hint={texts.chooseHint}
        multiple
        fault={fault?.text}
        lang={fault?.language}
      />
      <WebsiteField
        name="site"
        label={texts.site}
        hint={texts.siteHint}
        placeholder="shop.example"
      />
      <AdoptChoice />
    </Form>
  );
}

function AdoptChoice() {
  const texts = moveInWords.value;
  return (
    <label class="check">
      <input type="checkbox" name="adopt" />
      <span>
        {texts.adopt}
        <small>{texts.adoptHint}</small>
      </span>
    </label>
  );
}
