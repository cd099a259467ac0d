import { type Import, getRefusedLines } from "@avow/client/operations";
import { sendFile, toAddress } from "../../api/send.ts";
import { parseCsv } from "../../data/csv.ts";
import { useLoad } from "../../data/use-load.ts";
import { toNumber } from "../../browser/format.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { transferWords } from "../../words/transfers/words.ts";

const SHOWN_MAX = 100;
/** Maximum number of bytes that are read. */
const BYTES_MAX = 256 * 1024;
const TIMEOUT_MS = 30_000;

interface RefusedProps {
  of: Import;
  onClose: () => void;
}

/** The lines that an import rejected, each with its reason: the first ones here, all in a file. */
export function Refused({ of: { projectId, id, refused }, onClose }: RefusedProps) {
  const texts = transferWords.value;
  const path = { projectId, id };
  const loaded = useLoad(async () => parseCsv(await readBeginning(path)), [id]);
  return (
    <Dialog
      title={texts.lines(toNumber(refused))}
      lead={refused > SHOWN_MAX && texts.linesLead(toNumber(SHOWN_MAX))}
      onClose={onClose}
    >
      <LoadView of={loaded}>
        {([, ...rows]) => (
          <table class="plain-table refused">
            <thead>
              <tr>
                <th scope="col">{texts.line}</th>
                <th scope="col">{texts.reason}</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, SHOWN_MAX).map(([line = "", reason = "", text = ""]) => (
                <tr key={line}>
                  <td>{line}</td>
                  <td>
                    <span lang="en">{reason}</span>
                    {text !== "" && <span class="soft code kind">{text}</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </LoadView>
      <a class="button" download href={toAddress(getRefusedLines, { path })}>
        {texts.download}
      </a>
    </Dialog>
  );
}

/** Reads the beginning of the list, up to the last complete line. @throws Problem */
async function readBeginning(path: { projectId: string; id: string }): Promise<string> {
  const asking = { headers: { accept: "text/csv" }, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const { body } = await sendFile(getRefusedLines, { path }, asking);
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop ends the request.
    if (bytes > BYTES_MAX) return text.slice(0, text.lastIndexOf("\n") + 1);
  }
  return text + decoder.decode();
}
