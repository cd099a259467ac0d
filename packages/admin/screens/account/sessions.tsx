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
import { type Column, Table } from "../../ui/table/table.tsx";
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
              caption={account.sessions}
              columns={toColumns(
                ({ id }) =>
                  void end(() => send(deleteAccessToken, { path: { id } }), account.ended),
              )}
              rows={all.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
              toKey={({ id }) => id}
              isFlush
            />
            <Pager page={page} perPage={PER_PAGE} total={all.length} onPage={setPage} />
          </>
        )}
      </LoadView>
    </Card>
  );
}

function toColumns(onEnd: (token: AccessToken) => void): readonly Column<AccessToken>[] {
  const account = accountWords.value;
  return [
    {
      id: "browser",
      title: account.browser,
      cell: ({ label, current }) => (
        <>
          {label} {current && <Badge tone="good">{account.current}</Badge>}
        </>
      ),
    },
    { id: "started", title: account.started, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    { id: "used", title: account.used, cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
    {
      id: "ends",
      title: account.ends,
      text: ({ expiresAt }) => (expiresAt === null ? "" : toDay(expiresAt)),
    },
    {
      id: "end",
      title: account.end,
      isActions: true,
      cell: (token) =>
        !token.current && (
          <DangerLink text={account.end} of={token.label} onClick={() => onEnd(token)} />
        ),
    },
  ];
}
