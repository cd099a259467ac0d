import { useState } from "preact/hooks";
import { type User, confirmSession, deleteIdentity, listProviders } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay } from "../../browser/format.ts";
import { parameters, toHref } from "../../browser/router.ts";
import { readMe } from "../../data/session.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Card } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { accountWords } from "../../words/account/words.ts";

type SignInMethod = User["signInMethods"][number];
type Provider = Awaited<ReturnType<typeof readProviders>>[number];

const readProviders = () => send(listProviders);

/** The user's sign-in methods. All but the last one can be removed. */
export function SignInMethodsCard({ user: { signInMethods } }: { user: User }) {
  const account = accountWords.value;
  const [removing, setRemoving] = useState<SignInMethod>();
  // Without the list of providers nothing can be added, and methods are shown by the provider's name.
  const loaded = useLoad(readProviders, []);
  const providers = loaded.state === "ready" ? loaded.value : [];
  const toTitle = ({ provider }: SignInMethod): string =>
    provider === "local"
      ? account.localWay
      : (providers.find(({ name }) => name === provider)?.title ?? provider);
  const absent = providers.filter(
    ({ name }) => !signInMethods.some(({ provider }) => provider === name),
  );
  return (
    <Card title={account.identities} lead={account.identitiesLead}>
      {parameters.value.has("failed") && (
        <p class="note bad" role="alert">
          {account.notAdded}
        </p>
      )}
      <Table
        caption={account.identities}
        columns={toColumns({ methods: signInMethods, toTitle, onRemove: setRemoving })}
        rows={signInMethods}
        toKey={({ id }) => id}
        isFlush
      />
      {signInMethods.length === 1 && <p class="hint">{account.lastWay}</p>}
      <Addable providers={absent} />
      {removing && (
        <Confirm
          title={account.removeWayTitle(toTitle(removing))}
          text={account.removeWayText}
          submit={account.removeWay}
          isDanger
          onConfirm={async () => {
            await send(deleteIdentity, { path: { id: removing.id } });
            setRemoving(undefined);
            notify(account.wayRemoved);
            await readMe();
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  );
}

/** Links to the providers that can be added. */
function Addable({ providers }: { providers: readonly Provider[] }) {
  const account = accountWords.value;
  if (providers.length === 0) return null;
  const redirectURI = location.origin + toHref("/account/linked");
  const query = new URLSearchParams({ redirectURI }).toString();
  return (
    <div class="actions">
      {providers.map(({ name, title, links }) => (
        <a
          key={name}
          class="button small"
          href={`${links.signin}?${query}`}
          onClick={(event) => {
            event.preventDefault();
            void goThere(event.currentTarget.href);
          }}
        >
          <Icon name="plus" />
          {account.addWay(title)}
        </a>
      ))}
    </div>
  );
}

/** Confirms that the session is recent before leaving the app, because the returned code needs it. */
async function goThere(href: string): Promise<void> {
  try {
    await send(confirmSession, { body: {} });
    location.assign(href);
  } catch (error) {
    notify(toFaultText(asProblem(error)));
  }
}

interface ColumnsProps {
  methods: readonly SignInMethod[];
  toTitle: (method: SignInMethod) => string;
  onRemove: (method: SignInMethod) => void;
}

function toColumns({ methods, toTitle, onRemove }: ColumnsProps): readonly Column<SignInMethod>[] {
  const account = accountWords.value;
  return [
    {
      id: "way",
      title: account.way,
      cell: (method) => (
        <>
          {toTitle(method)}
          {method.label !== null && <span class="soft kind">{method.label}</span>}
        </>
      ),
    },
    { id: "added", title: account.added, text: ({ createdAt }) => toDay(createdAt) },
    {
      id: "remove",
      title: account.removeWay,
      isActions: true,
      cell: (method) =>
        methods.length > 1 && (
          <DangerLink
            text={account.removeWay}
            of={toTitle(method)}
            onClick={() => onRemove(method)}
          />
        ),
    },
  ];
}
