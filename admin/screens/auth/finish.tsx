import { useEffect } from "preact/hooks";
import { startSessionByCode } from "../../api/interface.ts";
import { Problem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { go, takeParameter } from "../../router.ts";
import { readMe } from "../../session.ts";
import { words } from "../../words/words.ts";
import { Door } from "./door.tsx";

/** Where a provider's sign-in leads back to, with a code that works once. */
export function Finish() {
  useEffect(() => {
    void finish();
  }, []);
  return (
    <Door title={words.value.auth.finishing}>
      <div class="skeleton" aria-busy="true">
        <span class="line" />
      </div>
    </Door>
  );
}

async function finish(): Promise<void> {
  const code = takeParameter("code");
  try {
    if (code === undefined) throw new Problem("invalid");
    await send(startSessionByCode, { body: { code } });
    await readMe();
    go("/projects", { replace: true });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    go("/signin?error=1", { replace: true });
  }
}
