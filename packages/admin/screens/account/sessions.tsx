import { useState } from "preact/hooks";
import {
  type AccessToken,
  confirmSession,
  deleteAccessToken,
  deleteAccessTokens,
} from "@avow/client/operations";
import { type Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { readTokens } from "../../data/tokens.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay } from "../../browser/format.ts";
import { FaultNote } from "../../ui/forms/faults.tsx";
import { Pager, usePage } from "../../ui/pager.tsx";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { accountWords } from "../../words/account/words.ts";

const PER_PAGE = 10;

/** The user's sessions, each of which can be ended, or all but the current one. */
export function SessionsCard() {
  const account = accountWords.value;
  const [problem, setProblem] = useState<Problem>();
  const [page, setPage] = usePage();
  const loaded = useLoad(() => readTokens("sessions"), []);
  const end = async (work: () => Promise<unknown>, message: string): Promise<void> => {
    setProblem(undefined);
    try {
      // Only the app requires a confirmation here. The API promises programs that a token is enough.
      await send(confirmSession, { body: {} });
      await work();
      notify(message);
      setPage(1);
      loaded.reload();
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const endOthers = (): void =>
    void end(
      () => send(deleteAccessTokens, { query: { kind: "session", except: "current" } }),
      account.endedOthers,
    );
  const hasOthers = loaded.state === "ready" && loaded.value.length > 1;
  return (
    <Card
      title={account.sessions}
      lead={account.sessionsLead}
      action={
        hasOthers && (
          <button type="button" class="button small" onClick={endOthers}>
            {account.endOthers}
          </button>
        )
      }
    >
      {problem && <FaultNote problem={problem} />}
      <LoadView of={loaded}>
        {(all) => (
          <>
            <Table
              all={all.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
              onEnd={({ id }) =>
                void end(() => send(deleteAccessToken, { path: { id } }), account.ended)
              }
            />
            <Pager page={page} perPage={PER_PAGE} total={all.length} onPage={setPage} />
          </>
        )}
      </LoadView>
    </Card>
  );
}

interface TableProps {
  all: readonly AccessToken[];
  onEnd: (token: AccessToken) => void;
}

function Table({ all, onEnd }: TableProps) {
  const account = accountWords.value;
  return (
    <table class="stacked flush">
      <thead>
        <tr>
          <th scope="col">{account.browser}</th>
          <th scope="col">{account.started}</th>
          <th scope="col">{account.used}</th>
          <th scope="col">{account.ends}</th>
          <th scope="col" class="end">
            <span class="hidden">{account.end}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {all.map((token) => (
          <tr key={token.id}>
            <th scope="row">
              {token.label} {token.current && <Badge tone="good">{account.current}</Badge>}
            </th>
            <td data-label={account.started}>
              <Ago at={token.createdAt} />
            </td>
            <td data-label={account.used}>
              <Ago at={token.lastUsedAt} />
            </td>
            <td data-label={account.ends}>{token.expiresAt && toDay(token.expiresAt)}</td>
            <td class="end">
              {!token.current && (
                <DangerLink text={account.end} of={token.label} onClick={() => onEnd(token)} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
