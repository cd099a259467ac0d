import { useEffect, useState } from "preact/hooks";
import { startSessionByCode } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { send } from "../../api/send.ts";
import { go, takeParameter } from "../../browser/router.ts";
import { completePending } from "../../data/pending.ts";
import { readMe } from "../../data/session.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { words } from "../../words/words.ts";
import { CodeForm, isCodeNeeded } from "./code-form.tsx";
import { AuthPage } from "./auth-page.tsx";
import { isForOpener, notifyOpener } from "./popup.ts";

type State = "working" | "told" | { code: string };

/**
 * The return address of a provider's sign-in, with a code that works once. A code of the second factor may be needed
 * next.
 */
export function Finish() {
  const { auth } = words.value;
  const [state, setState] = useState<State>("working");
  useEffect(() => {
    void begin(setState);
  }, []);
  if (typeof state === "object")
    return (
      <AuthPage title={auth.code.title}>
        <CodeForm
          submit={auth.signIn.button}
          onCode={(factorCode) => enter({ code: state.code, factorCode })}
        />
      </AuthPage>
    );
  if (state === "told") return <AuthPage title={auth.confirmed}>{null}</AuthPage>;
  return (
    <AuthPage title={auth.finishing}>
      <Skeleton />
    </AuthPage>
  );
}

async function begin(setState: (state: State) => void): Promise<void> {
  const code = takeParameter("code");
  try {
    if (code === undefined) throw new Problem("invalid");
    await enter({ code });
    if (isForOpener()) setState("told");
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (code !== undefined && isCodeNeeded(error)) setState({ code });
    else go("/signin?error=1", { replace: true });
  }
}

async function enter(body: { code: string; factorCode?: string }): Promise<void> {
  await send(startSessionByCode, { body });
  if (isForOpener()) return notifyOpener();
  const next = await completePending();
  await readMe();
  go(next, { replace: true });
}
