import { type ReviewSettings, getReview, setReviewSettings } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { Choice, Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { reviewWords } from "../../words/reviews/words.ts";

interface ApprovalSettingsProps {
  projectId: string;
  /** Whether the user may change them. */
  isOwner: boolean;
}

/** The approvals that a publication requires, which owners change and others read. */
export function ApprovalSettings({ projectId, isOwner }: ApprovalSettingsProps) {
  const { settings: texts } = reviewWords.value;
  const loaded = useLoad(() => send(getReview, { path: { projectId } }), [projectId]);
  return (
    <Card title={texts.title} lead={texts.lead}>
      <LoadView of={loaded}>
        {({ settings }) =>
          isOwner ? (
            <SettingsForm projectId={projectId} settings={settings} />
          ) : (
            <ul>
              <li>
                {texts.required}: {texts.counts[settings.required]}
              </li>
              <li>
                {texts.approvers}: {texts.groups[settings.approvers]}
              </li>
            </ul>
          )
        }
      </LoadView>
    </Card>
  );
}

function SettingsForm({ projectId, settings }: { projectId: string; settings: ReviewSettings }) {
  const { settings: texts } = reviewWords.value;
  const { required, approvers, links } = settings;
  return (
    <Form
      submit={texts.save}
      isPlain
      onSubmit={async (values, data) => {
        const body = {
          required: Number(values["required"]),
          approvers: values["approvers"] === "owners" ? ("owners" as const) : ("editors" as const),
          links: data.has("links"),
        };
        await send(setReviewSettings, { path: { projectId }, body });
        notify(texts.saved);
      }}
    >
      <Choice
        name="required"
        label={texts.required}
        value={String(required)}
        options={texts.counts.map((text, count) => [String(count), text] as const)}
      />
      <Choice
        name="approvers"
        label={texts.approvers}
        value={approvers}
        options={(["owners", "editors"] as const).map((one) => [one, texts.groups[one]] as const)}
      />
      <label class="check">
        <input type="checkbox" name="links" defaultChecked={links} />
        <span>{texts.links}</span>
      </label>
    </Form>
  );
}
