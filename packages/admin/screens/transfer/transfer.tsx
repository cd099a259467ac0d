import { useMemo, useState } from "preact/hooks";
import {
  type OfferedTransfer,
  acceptOfferedProject,
  createOrganization,
  declineOfferedProject,
  getOfferedProject,
  listOfferedProjects,
} from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { readNames } from "../../data/projects/organizations.ts";
import { me, readMe } from "../../data/session.ts";
import { useSignups } from "../../data/signups.ts";
import { useLoad, usePolling } from "../../data/use-load.ts";
import { toDay } from "../../browser/format.ts";
import { go, takeParameter, toHref } from "../../browser/router.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Choice, Field, Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { transferWords } from "../../words/transfer/words.ts";
import { AuthPage } from "../auth/auth-page.tsx";
import { SignInForm } from "../auth/sign-in.tsx";
import { SignUpForm } from "../auth/sign-up.tsx";
import { Effects } from "./effects.tsx";

/** Accepts or declines an offered project: by a mailed link, or by the id of an offer to the signed-in user. */
export default function TransferScreen() {
  const texts = transferWords.value.accept;
  const [token, id] = useMemo(() => [takeParameter("token"), takeParameter("id")], []);
  const loaded = useLoad(() => readTransfer(token, id), [token, id, me.value?.id]);
  if (loaded.state === "failed" && loaded.problem.kind === "not-found")
    return (
      <AuthPage title={texts.unknownTitle} lead={texts.unknown}>
        {null}
      </AuthPage>
    );
  if (token === undefined && me.value === null)
    return (
      <AuthPage title={texts.title}>
        <Entrance />
      </AuthPage>
    );
  return (
    <AuthPage title={texts.title}>
      <LoadView of={loaded}>
        {(offer) => (
          <>
            <Offer offer={offer} />
            {me.value ? (
              <Acceptance offer={offer} path={{ token: token ?? offer.id }} />
            ) : (
              <Entrance />
            )}
          </>
        )}
      </LoadView>
    </AuthPage>
  );
}

/** @throws Problem */
async function readTransfer(token?: string, id?: string): Promise<OfferedTransfer> {
  if (token !== undefined) return send(getOfferedProject, { path: { token } });
  const all = await send(listOfferedProjects, undefined);
  const found = all.find((one) => one.id === id);
  if (!found) throw new Problem("not-found");
  return found;
}

function Offer({ offer }: { offer: OfferedTransfer }) {
  const texts = transferWords.value.accept;
  const { project, offeredBy, contents, addressHint } = offer;
  return (
    <>
      <p>{texts.lead(offeredBy.displayName, project.title)}</p>
      <dl class="facts">
        <div>
          <dt>{texts.site}</dt>
          <dd class="code">{project.websiteURL}</dd>
        </div>
        <div>
          <dt>{texts.until}</dt>
          <dd>{toDay(offer.expiration)}</dd>
        </div>
      </dl>
      <Effects />
      <p class="soft">
        {[
          texts.contents(contents.configurations),
          texts.copies({ vendors: contents.sharedVendors, files: contents.files }),
          texts.members(contents.members),
        ].join(" · ")}
      </p>
      {contents.files > 0 && <p class="soft">{texts.republish}</p>}
      {offer.boundToAddress && addressHint !== null && (
        <p class="soft">{texts.bound(addressHint)}</p>
      )}
    </>
  );
}

const NEW = "";
const POLL_MS = 5_000;

/** Reads the user again until the mailed link has confirmed the address, in another tab or on another device. */
function UnconfirmedNote() {
  const loaded = useLoad(async () => {
    await readMe();
    return {};
  }, []);
  usePolling(loaded, POLL_MS, true);
  const texts = transferWords.value.accept;
  return (
    <p>
      {texts.toConfirm}{" "}
      <a href={toHref("/account")} target="_blank">
        {texts.account}
      </a>
    </p>
  );
}

function Acceptance({ offer, path }: { offer: OfferedTransfer; path: { token: string } }) {
  const texts = transferWords.value.accept;
  const owned = useLoad(() => readNames("owner"), []);
  const [chosen, setChosen] = useState<string>();
  // A retry after a failure uses the organization that exists already.
  const [created, setCreated] = useState<{ id: string; name: string }>();
  const isUnconfirmed = offer.boundToAddress && !me.value?.emailConfirmed;
  const accept = async (organizationId: string): Promise<void> => {
    const { projectId } = await send(acceptOfferedProject, { path, body: { organizationId } });
    go(`/projects/${projectId}`, { replace: true });
    notify(texts.accepted);
  };
  const decline = async (): Promise<void> => {
    try {
      await send(declineOfferedProject, { path });
      go("/projects", { replace: true });
      notify(texts.declined);
    } catch (error) {
      notify(toFaultText(asProblem(error)));
    }
  };
  return (
    <>
      <p class="soft">{texts.as(me.value?.displayName ?? "")}</p>
      {isUnconfirmed && <UnconfirmedNote />}
      <LoadView of={owned}>
        {(names) => {
          const all = new Map([
            ...names,
            ...(created ? [[created.id, created.name] as const] : []),
          ]);
          const [first = NEW] = all.keys();
          const organizationId = offer.organization?.id ?? chosen ?? first;
          return (
            <Form
              submit={texts.submit}
              isDisabled={isUnconfirmed}
              aside={
                <button type="button" class="button ghost" onClick={() => void decline()}>
                  {texts.decline}
                </button>
              }
              onSubmit={async ({ name = "" }) => {
                if (organizationId !== NEW) return accept(organizationId);
                const body = { name: name.trim() };
                const { id } = await send(createOrganization, { body });
                setCreated({ id, ...body });
                setChosen(id);
                await accept(id);
              }}
            >
              {offer.organization ? (
                <p>{texts.into(offer.organization.name)}</p>
              ) : (
                <Choice
                  name="organizationId"
                  label={texts.organization}
                  value={organizationId}
                  options={[...all, [NEW, texts.create]]}
                  onChange={setChosen}
                />
              )}
              {organizationId === NEW && (
                <Field
                  name="name"
                  label={texts.name}
                  autoComplete="organization"
                  maxLength={200}
                  required
                />
              )}
            </Form>
          );
        }}
      </LoadView>
    </>
  );
}

async function enter(): Promise<void> {
  await readMe();
}

/** Signs in or up, after which the offer can be accepted. */
function Entrance() {
  const texts = transferWords.value.accept;
  const [isKnown, setKnown] = useState(false);
  const canSignUp = useSignups() !== "closed";
  const hasAccount = isKnown || !canSignUp;
  return (
    <>
      {hasAccount ? (
        <SignInForm email={undefined} submit={texts.signIn} onDone={enter} />
      ) : (
        <SignUpForm email={undefined} tokens={{}} submit={texts.signUp} onDone={enter} />
      )}
      {canSignUp && (
        <p class="door-more">
          <button type="button" class="link" onClick={() => setKnown(!hasAccount)}>
            {hasAccount ? texts.noAccount : texts.hasAccount}
          </button>
        </p>
      )}
    </>
  );
}
