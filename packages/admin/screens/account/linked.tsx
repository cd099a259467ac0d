import { useEffect } from "preact/hooks";
import { startSessionByCode } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { send } from "../../api/send.ts";
import { go, takeParameter } from "../../browser/router.ts";
import { readMe } from "../../data/session.ts";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { notify } from "../../ui/toast.tsx";
import { accountWords } from "../../words/account/words.ts";

/**
 * The return address of a provider that is being added. Only here, with the session of the user who started, it is
 * linked.
 */
export default function Linked() {
  useEffect(() => {
    void finish();
  }, []);
  return (
    <Page title={accountWords.value.adding} isNarrow>
      <Skeleton />
    </Page>
  );
}

async function finish(): Promise<void> {
  const code = takeParameter("code");
  try {
    if (code === undefined) throw new Problem("invalid");
    await send(startSessionByCode, { body: { code } });
    await readMe();
    notify(accountWords.peek().wayAdded);
    go("/account", { replace: true });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    go("/account?failed", { replace: true });
  }
}
