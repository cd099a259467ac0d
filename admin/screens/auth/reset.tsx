import { useMemo, useState } from "preact/hooks";
import { startSessionByReset } from "../../api/interface.ts";
import { Problem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { go, takeParameter, toHref } from "../../router.ts";
import { readMe } from "../../session.ts";
import { Form } from "../../ui/form.tsx";
import { words } from "../../words/words.ts";
import { Door } from "./door.tsx";
import { NewPassword } from "./new-password.tsx";

/** Where a mailed link sets a new password, which signs in too. */
export function Reset() {
  const { auth } = words.value;
  const { reset } = auth;
  const token = useMemo(() => takeParameter("token"), []);
  const [isExpired, setExpired] = useState(token === undefined);
  if (isExpired || token === undefined)
    return (
      <Door title={reset.expiredTitle} lead={reset.expired}>
        <p class="door-more">
          <a href={toHref("/forgot")}>{reset.again}</a>
        </p>
      </Door>
    );
  return (
    <Door title={reset.title} lead={reset.lead}>
      <Form
        submit={reset.button}
        onSubmit={async ({ password = "" }) => {
          try {
            await send(startSessionByReset, { body: { token, password } });
          } catch (error) {
            const isOver =
              error instanceof Problem && error.errors.some(({ path }) => path === "/token");
            if (!isOver) throw error;
            setExpired(true);
            return;
          }
          await readMe();
          go("/projects", { replace: true });
        }}
      >
        <NewPassword label={reset.password} />
      </Form>
    </Door>
  );
}
