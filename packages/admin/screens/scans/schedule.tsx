import { getProject, patchProject } from "@avow/client/operations";
import { sendWhole } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { Choice, Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { scanWords } from "../../words/scans/words.ts";

const choices = [1, 7, 14, 30];

/** The project's settings of scheduled scans. */
export function Schedule({ projectId }: { projectId: string }) {
  const texts = scanWords.value;
  const path = { documentId: projectId };
  const loaded = useLoad(async () => {
    const { body, headers } = await sendWhole(getProject, { path });
    return { scan: body.scan ?? {}, etag: headers.get("etag") ?? "" };
  }, [projectId]);
  return (
    <Card title={texts.schedule} lead={texts.scheduleLead}>
      <LoadView of={loaded} lines={3}>
        {({ scan, etag }) => {
          const days = scan.everyDays ?? 0;
          const all = [...new Set([...choices, ...(days > 0 ? [days] : [])])];
          const options = [
            ["0", texts.never] as const,
            ...all
              .toSorted((a, b) => a - b)
              .map((one) => [String(one), texts.everyDays(one)] as const),
          ];
          return (
            <Form
              key={etag}
              submit={texts.save}
              isPlain
              onSubmit={async ({ everyDays, afterPublication }) => {
                const body = {
                  scan: {
                    everyDays: everyDays === "0" ? null : Number(everyDays),
                    afterPublication: afterPublication === "on",
                  },
                };
                await sendWhole(patchProject, { path, body, ifMatch: etag });
                loaded.reload();
                notify(texts.saved);
              }}
            >
              <Choice name="everyDays" label={texts.every} value={String(days)} options={options} />
              <label class="check">
                <input
                  type="checkbox"
                  name="afterPublication"
                  defaultChecked={scan.afterPublication === true}
                />
                <span>
                  {texts.afterPublication}
                  <small>{texts.afterPublicationHint}</small>
                </span>
              </label>
            </Form>
          );
        }}
      </LoadView>
    </Card>
  );
}
