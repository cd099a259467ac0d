import { useState } from "preact/hooks";
import {
  type ScanResult,
  type VaultVendorIn,
  createVaultVendor,
  listVaultVendors,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { Choice, Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { scanWords } from "../../words/scans/words.ts";
import { language } from "../../words/words.ts";

const LISTED_MAX = 1_000;
type TextLanguage = "en" | "fr";

interface AddVendorsProps {
  projectId: string;
  vendors: ScanResult["vendors"];
}

/** Adds the proposed vendors to the project's vendors in the vault. */
export function AddVendors({ projectId, vendors }: AddVendorsProps) {
  const texts = scanWords.value;
  const [spoken, setSpoken] = useState<TextLanguage>(language.value);
  const loaded = useLoad(async () => {
    const kept = await send(listVaultVendors, { query: { perPage: LISTED_MAX } });
    const own = kept.filter((one) => one.projectId === projectId);
    return new Set(own.map(({ name }) => name));
  }, [projectId]);
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const [unwanted, setUnwanted] = useState<ReadonlySet<string>>(new Set());
  if (vendors.length === 0) return null;
  const choose = (name: string, isWanted: boolean): void =>
    setUnwanted((now) => {
      const next = new Set(now);
      if (isWanted) next.delete(name);
      else next.add(name);
      return next;
    });
  return (
    <Card
      title={texts.vendors}
      lead={texts.vendorsLead}
      action={<a href={toHref(`/projects/${projectId}/cookies`)}>{texts.banners}</a>}
    >
      <LoadView of={loaded} lines={3}>
        {(kept) => {
          const known = new Set([...kept, ...added]);
          const isWanted = (name: string): boolean => !known.has(name) && !unwanted.has(name);
          const wanted = vendors.filter(({ en }) => isWanted(en.name));
          const add = async (): Promise<void> => {
            for (const vendor of wanted) {
              const body = { ...vendor[spoken], projectId } as VaultVendorIn;
              await send(createVaultVendor, { body });
              // At once: a later one may fail.
              setAdded((now) => new Set(now).add(vendor.en.name));
            }
            notify(texts.added(wanted.length));
          };
          const list = (
            <ul class="records">
              {vendors.map(({ [spoken]: vendor }) => (
                <li key={vendor.name}>
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={isWanted(vendor.name)}
                      disabled={known.has(vendor.name)}
                      onChange={(event) => choose(vendor.name, event.currentTarget.checked)}
                    />
                    <span>
                      {vendor.title}{" "}
                      {known.has(vendor.name) && <Badge tone="good">{texts.known}</Badge>}
                      <small lang={spoken}>{vendor.shortDescription}</small>
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          );
          if (wanted.length === 0) return list;
          return (
            <Form submit={texts.add(wanted.length)} onSubmit={add}>
              <Choice
                name="language"
                label={texts.language}
                value={spoken}
                onChange={(chosen) => setSpoken(chosen === "fr" ? "fr" : "en")}
                options={[
                  ["en", texts.languages.en],
                  ["fr", texts.languages.fr],
                ]}
              />
              {list}
            </Form>
          );
        }}
      </LoadView>
    </Card>
  );
}
