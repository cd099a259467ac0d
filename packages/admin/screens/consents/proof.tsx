import { useState } from "preact/hooks";
import { type Consent, getProof } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { sendFile, toAddress } from "../../api/send.ts";
import { type KnownLog, loadKnownLog } from "../../data/log.ts";
import { saveFile } from "../../data/save.ts";
import { toInstant } from "../../browser/format.ts";
import { FaultNote } from "../../ui/forms/faults.tsx";
import { Report } from "../../ui/report.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { language } from "../../words/words.ts";
import type { ProofReport } from "./check-proof.ts";

const WAITS_MAX = 15;
const WAIT_MS = 1_000;
const TIMEOUT_MS = 30_000;

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
      const source = await readProof(consentId, () => setState({ name: "waiting" }));
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

/** Reads a proof byte for byte; retries while the answer is not yet sequenced in the log. */
async function readProof(consentId: string, onWait: () => void): Promise<string> {
  for (let waits = 0; ; waits += 1) {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await sendFile(getProof, { path: { consentId } }, { signal });
      return await answer.text();
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 503 || waits >= WAITS_MAX) throw error;
      onWait();
      await new Promise((done) => setTimeout(done, WAIT_MS));
    }
  }
}
