import { useState } from "preact/hooks";
import { type Consent, getProof } from "@avow/client/operations";
import type { Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { toAddress } from "../../api/send.ts";
import { type KnownLog, loadKnownLog } from "../../data/log.ts";
import { readMadeFile } from "../../data/made-file.ts";
import { saveFile } from "../../data/save.ts";
import { toInstant } from "../../browser/format.ts";
import { FaultNote } from "../../ui/forms/faults.tsx";
import { Report } from "../../ui/report.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { language } from "../../words/words.ts";
import type { ProofReport } from "./check-proof.ts";

type State =
  | { name: "none" | "checking" | "waiting" }
  | { name: "checked"; checked: ProofReport; kept: KnownLog & { isNew: boolean } }
  | { name: "failed"; problem: Problem };

/** The proof of an answer: download it, read it, or verify it here independently of the service. */
export function Proof({ consent }: { consent: Consent }) {
  const { person } = consentWords.value;
  const [state, setState] = useState<State>({ name: "none" });
  const { consentId, projectId } = consent;
  const run = async (work: (source: string) => Promise<State>): Promise<void> => {
    setState({ name: "checking" });
    try {
      const wait = (): void => setState({ name: "waiting" });
      const source = await readMadeFile(getProof, { path: { consentId } }, wait);
      setState(await work(source));
    } catch (error) {
      setState({ name: "failed", problem: asProblem(error) });
    }
  };
  const check = async (source: string): Promise<State> => {
    const kept = await loadKnownLog();
    const { checkProof } = await import("./check-proof.ts");
    return { name: "checked", checked: await checkProof(source, { kept, projectId }), kept };
  };
  const save = async (source: string): Promise<State> => {
    const type = "application/json";
    saveFile(new Blob([source], { type }), `proof-${consentId}.json`);
    return { name: "none" };
  };
  const isBusy = state.name === "checking" || state.name === "waiting";
  const receipt = toAddress(getProof, {
    path: { consentId },
    query: { format: "pdf", language: language.value },
  });
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="button small"
          disabled={isBusy}
          onClick={() => void run(check)}
        >
          {state.name === "checked" ? person.checkAgain : person.check}
        </button>
        <button type="button" class="button small" disabled={isBusy} onClick={() => void run(save)}>
          {person.proof}
        </button>
        <a class="button small" href={receipt} target="_blank" rel="noreferrer">
          {person.receipt}
        </a>
      </div>
      <div role="status">
        {isBusy && <p class="soft">{person[state.name as "checking" | "waiting"]}</p>}
        {state.name === "checked" && (
          <Report report={state.checked}>
            {state.kept.isNew ? person.firstSeen : person.knownSince(toInstant(state.kept.since))}
          </Report>
        )}
      </div>
      {state.name === "failed" && <FaultNote problem={state.problem} />}
    </>
  );
}
