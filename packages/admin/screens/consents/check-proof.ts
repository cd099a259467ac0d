// Loaded on demand together with the verifier.
import { getConsistency } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { headOf, parseBundle, parseConsistency } from "@avow/verifier/bundle";
import { type Report, toHeading } from "@avow/verifier/checks";
import { parseCheckpoint } from "@avow/verifier/checkpoint";
import { parseVerifierKeys } from "@avow/verifier/keys";
import { languages, verifyBundle } from "@avow/verifier";
import type { KnownLog } from "../../data/log.ts";
import { language } from "../../words/words.ts";

/** The verifier's report with a heading. */
export interface ProofReport extends Report {
  heading: string;
}

/** Verifies a proof bundle from its bytes against the log that this browser knows. @throws Problem */
export async function checkProof(
  source: string,
  { kept, projectId }: { kept: KnownLog; projectId: string },
): Promise<ProofReport> {
  const head = headOf(await parseBundle(source)).proof.checkpoint;
  const sizes = [parseCheckpoint(kept.checkpoint).size, head.size].toSorted((a, b) => a - b);
  const [from = 0, to = 0] = sizes;
  const report = await verifyBundle(source, {
    trustedKeys: await parseVerifierKeys(kept.keys.join("\n")),
    checkpoint: kept.checkpoint,
    consistency: from > 0 && from < to ? [await readConsistency(projectId, { from, to })] : [],
    language: language.value,
  });
  return { ...report, heading: toHeading(report, languages[language.value]) };
}

async function readConsistency(projectId: string, query: { from: number; to: number }) {
  const proof = await send(getConsistency, { path: { projectId }, query });
  return parseConsistency(JSON.stringify(proof));
}
