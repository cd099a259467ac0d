import type { ConsentTool } from "@avow/contract/consent-tools";
import { toHref } from "../../browser/router.ts";
import type { CreatedProposal } from "../../data/projects/move-in.ts";
import { saveFile } from "../../data/save.ts";
import { Card, Copyable } from "../../ui/parts.tsx";
import { moveInWords } from "../../words/move-in/words.ts";
import type { Conversion } from "./convert.ts";

/** The exports of consents that the products have (docs/guides/migrate.md, step 3). */
const exportKinds = {
  axeptio: "undocumented",
  c15t: "database",
  cookiebot: "undocumented",
  cookieconsent: "browsers",
  didomi: "events",
  klaro: "browsers",
  onetrust: "undocumented",
  tarteaucitron: "browsers",
  usercentrics: "undocumented",
} as const satisfies Record<ConsentTool, string>;

/** The way of the old product's consents into the project. */
export function ConsentsCard({
  created: { projectId, bannerId },
  conversion: { product, proposal },
}: {
  created: CreatedProposal;
  conversion: Conversion;
}) {
  const { consents: texts } = moveInWords.value;
  const own = exportKinds[product.tool];
  const isAdopted = proposal.cookies.some(({ imports = [] }) => imports.length > 0);
  const saveAnswers = (): void => {
    const text = `${JSON.stringify(proposal.answers, null, 2)}\n`;
    saveFile(new Blob([text], { type: "application/json" }), "answers.json");
  };
  const command = `npx avow move-in consents events.json.gz --answers answers.json --identifier ${bannerId} --out consents.ndjson`;
  return (
    <Card
      title={texts.title}
      lead={texts.lead}
      action={
        <a class="button" href={toHref(`/projects/${projectId}/transfers`)}>
          {texts.open}
        </a>
      }
    >
      <p>
        <strong>{product.name}</strong>: {texts.exports[own]}
      </p>
      {own === "events" && (
        <>
          <p>{texts.convert}</p>
          <Copyable text={command} label={texts.command} />
          <div class="form-end">
            <button type="button" class="button small" onClick={saveAnswers}>
              {texts.answers}
            </button>
          </div>
        </>
      )}
      {own === "browsers" ? (
        <p>{isAdopted ? texts.adopted : texts.adopt}</p>
      ) : (
        <p>{texts.dryRun}</p>
      )}
      <p class="note">
        <code>imported</code>: {texts.grade}
      </p>
      <details>
        <summary>{texts.others}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.product}</th>
              <th scope="col">{texts.export}</th>
            </tr>
          </thead>
          <tbody>
            {texts.all.map(([names, text]) => (
              <tr key={names}>
                <th scope="row">{names}</th>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Card>
  );
}
