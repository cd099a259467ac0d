import { useState } from "preact/hooks";
import {
  type ReviewLink,
  createReviewLink,
  listReviewLinks,
  revokeReviewLink,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { toDay } from "../../browser/format.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Choice, Field, Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Ago, Badge, Card, Copyable } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { reviewWords } from "../../words/reviews/words.ts";

const LIMIT = 20;
const days = ["7", "14", "30", "90"] as const;

interface LinksProps {
  projectId: string;
  /** Whether the user may create links whose approval counts. */
  mayApprove: boolean;
}

/** The review links of a project: create (shown once), list with their last use, and revoke. */
export function Links({ projectId, mayApprove }: LinksProps) {
  const { links: texts } = reviewWords.value;
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ReviewLink>();
  const cursors = useCursor([projectId]);
  const { cursor } = cursors;
  const loaded = useLoad(() => {
    const query = { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) };
    return send(listReviewLinks, { path: { projectId }, query });
  }, [projectId, cursor]);
  return (
    <Card
      title={texts.title}
      lead={texts.lead}
      action={
        <button type="button" class="button small" onClick={() => setCreating(true)}>
          {texts.create}
        </button>
      }
    >
      <LoadView of={loaded}>
        {({ items, links }) =>
          items.length === 0 ? (
            <p class="soft">{texts.none}</p>
          ) : (
            <>
              <Table
                caption={texts.title}
                columns={toColumns(setRevoked)}
                rows={items}
                toKey={({ id }) => id}
                isFlush
              />
              <CursorPager cursors={cursors} next={links.next} />
            </>
          )
        }
      </LoadView>
      {isCreating && (
        <NewLink
          projectId={projectId}
          mayApprove={mayApprove}
          onClose={() => {
            setCreating(false);
            loaded.reload();
          }}
        />
      )}
      {revoked && (
        <Confirm
          title={texts.revokeTitle(revoked.recipient)}
          text={texts.revokeText}
          submit={texts.revoke}
          isDanger
          onConfirm={async () => {
            await send(revokeReviewLink, { path: { projectId, linkId: revoked.id } });
            setRevoked(undefined);
            notify(texts.revoked);
            loaded.reload();
          }}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </Card>
  );
}

function stateOf({ revokedAt, expiresAt }: ReviewLink): "valid" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return Date.parse(expiresAt) > Date.now() ? "valid" : "expired";
}

function toColumns(onRevoke: (link: ReviewLink) => void): readonly Column<ReviewLink>[] {
  const { links: texts } = reviewWords.value;
  return [
    {
      id: "recipient",
      title: texts.recipient,
      cell: ({ recipient, mayApprove }) => (
        <>
          {recipient} {mayApprove && <Badge>{texts.approves}</Badge>}
        </>
      ),
    },
    {
      id: "state",
      title: texts.state,
      cell: (link) => {
        const state = stateOf(link);
        return <Badge tone={state === "valid" ? "good" : "plain"}>{texts.states[state]}</Badge>;
      },
    },
    { id: "expires", title: texts.expires, text: ({ expiresAt }) => toDay(expiresAt) },
    {
      id: "used",
      title: texts.used,
      cell: ({ usedAt }) => (usedAt === null ? texts.unused : <Ago at={usedAt} />),
    },
    {
      id: "revoke",
      title: texts.revoke,
      isActions: true,
      cell: (link) =>
        stateOf(link) === "valid" && (
          <DangerLink text={texts.revoke} of={link.recipient} onClick={() => onRevoke(link)} />
        ),
    },
  ];
}

interface NewLinkProps extends LinksProps {
  onClose: () => void;
}

/** Creates a link and shows it once. */
function NewLink({ projectId, mayApprove, onClose }: NewLinkProps) {
  const { links: texts } = reviewWords.value;
  const [url, setUrl] = useState<string>();
  if (url !== undefined)
    return (
      <Dialog title={texts.created} lead={texts.createdText}>
        <Copyable text={url} label={texts.address} />
        <button type="button" class="button primary" onClick={onClose}>
          {texts.done}
        </button>
      </Dialog>
    );
  return (
    <Dialog title={texts.create} lead={texts.createText} onClose={onClose}>
      <Form
        submit={texts.submit}
        onSubmit={async ({ recipient = "", days: chosen = "14" }, data) => {
          const body = {
            recipient,
            days: Number(chosen),
            mayComment: data.has("mayComment"),
            mayApprove: data.has("mayApprove"),
          };
          const link = await send(createReviewLink, { path: { projectId }, body });
          setUrl(link.url);
        }}
      >
        <Field name="recipient" label={texts.recipient} maxLength={100} required />
        <Choice
          name="days"
          label={texts.days}
          value="14"
          options={days.map((one) => [one, one] as const)}
        />
        <label class="check">
          <input type="checkbox" name="mayComment" defaultChecked />
          <span>{texts.mayComment}</span>
        </label>
        <label class="check">
          <input type="checkbox" name="mayApprove" disabled={!mayApprove} />
          <span>{texts.mayApprove}</span>
        </label>
        {!mayApprove && <p class="hint">{texts.mayApproveHint}</p>}
      </Form>
    </Dialog>
  );
}
