import { markup } from "../../../platform/text/markup.ts";
import { toHeading } from "@avow/verifier/checks";
import { parseVerifierKey } from "@avow/verifier/keys";
import { languages, verifyBundle } from "@avow/verifier";
import { paths } from "@avow/contract/urls";
import { toBundleText } from "../../evidence/reports/statement/bundle-text.ts";
import type { Language, ProofBundleOut } from "../../evidence/log/schema.ts";
import { type PageBrand, toPage } from "./frame.ts";
import { personWords } from "../words/words.ts";

/**
 * The page with the result of verifying a receipt, for browsers without scripts: the verifier's checks of exactly the
 * bytes of the receipt, made by this service with the keys of its own log, as the page states. `json` is the address of
 * the receipt, `page` that of the person's page.
 */
export async function toCheckPage(
  bundle: ProofBundleOut,
  {
    language,
    json,
    page,
    brand,
  }: { language: Language; json: string; page: string; brand: PageBrand | undefined },
): Promise<string> {
  const { checked } = personWords[language];
  const trustedKeys = await Promise.all(bundle.keys.map(parseVerifierKey));
  const report = await verifyBundle(toBundleText(bundle), { trustedKeys, language });
  const { checks, verdict } = report;
  const body = markup`<section><h1>${checked.title}</h1>
<p class="verdict ${verdict === "proven" ? "good" : "bad"}">${toHeading(report, languages[language])}</p>
<ul class="items">
${checks.map(
  ({
    holds,
    says,
  }) => markup`<li><p><strong>${checked.holds[String(holds)]}</strong> ${says}</p></li>
`,
)}</ul>
<p class="soft">${checked.byUs}</p>
<p class="soft"><a href="${json}">${checked.take}</a> · <a href="${paths.verifier}">${checked.elsewhere}</a></p>
<p><a class="button" href="${page}">${checked.back}</a></p></section>`;
  return toPage({ language, title: checked.title, body, brand }, "note");
}
