import { useState } from "preact/hooks";
import {
  type SentTransfer,
  type Transfer,
  getProjectOffer,
  offerProject,
  revokeProjectOffer,
} from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { titles } from "../../data/projects/project.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay } from "../../browser/format.ts";
import { base } from "../../browser/base.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { transferWords } from "../../words/transfer/words.ts";
import { Effects } from "../transfer/effects.tsx";

/** Offers a project to another organization, and shows the pending offer. */
export function TransferCard({ projectId }: { projectId: string }) {
  const texts = transferWords.value.offer;
  const [isOpen, setOpen] = useState(false);
  const [sent, setSent] = useState<SentTransfer>();
  const loaded = useLoad(() => readOffer(projectId), [projectId]);
  const revoke = async (): Promise<void> => {
    await send(revokeProjectOffer, { path: { documentId: projectId } });
    setSent(undefined);
    loaded.reload();
    notify(texts.revoked);
  };
  return (
    <Card title={texts.title} lead={texts.lead}>
      <LoadView of={loaded}>
        {(offer) =>
          offer ? (
            <>
              <p>{texts.pending(toRecipient(offer), toDay(offer.expiration))}</p>
              {sent?.transferToken && !sent.mailed && (
                <div class="note">
                  <p>{texts.notMailed}</p>
                  <p class="code">{toLink(sent.transferToken.value)}</p>
                </div>
              )}
              <Form submit={texts.revoke} isPlain onSubmit={revoke} />
            </>
          ) : (
            <div>
              <button type="button" class="button" onClick={() => setOpen(true)}>
                {texts.button}
              </button>
            </div>
          )
        }
      </LoadView>
      {isOpen && (
        <OfferDialog
          projectId={projectId}
          onSent={(offer) => {
            setSent(offer);
            setOpen(false);
            loaded.reload();
            if (offer.mailed || !offer.transferToken) notify(texts.sent);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </Card>
  );
}

/** The pending offer of a project; undefined without one. @throws Problem */
async function readOffer(projectId: string): Promise<Transfer | undefined> {
  try {
    return await send(getProjectOffer, { path: { documentId: projectId } });
  } catch (error) {
    if (asProblem(error).kind === "not-found") return undefined;
    throw error;
  }
}

function toRecipient({ email, organizationId }: Transfer): string {
  return email ?? transferWords.value.offer.organization(organizationId ?? "");
}

function toLink(token: string): string {
  return `${location.origin}${base}/admin/transfer?token=${token}`;
}

interface OfferDialogProps {
  projectId: string;
  onSent: (offer: SentTransfer) => void;
  onClose: () => void;
}

function OfferDialog({ projectId, onSent, onClose }: OfferDialogProps) {
  const texts = transferWords.value.offer;
  return (
    <Dialog title={texts.dialogTitle(titles.value[projectId] ?? "")} onClose={onClose}>
      <Effects />
      <Form
        submit={texts.submit}
        toText={({ path }) => (path === "/to" ? texts.wrong : undefined)}
        onSubmit={async ({ to = "" }) => {
          const recipient = to.trim();
          if (!/@/.test(recipient) && !/^[0-9a-f]{24}$/.test(recipient))
            throw new Problem("invalid", { errors: [{ path: "/to", message: texts.wrong }] });
          const body = recipient.includes("@")
            ? { email: recipient }
            : { organizationId: recipient };
          onSent(await send(offerProject, { path: { documentId: projectId }, body }));
        }}
      >
        <Field
          name="to"
          label={texts.to}
          hint={texts.toHint}
          autoComplete="off"
          maxLength={320}
          isCode
          required
        />
      </Form>
    </Dialog>
  );
}
