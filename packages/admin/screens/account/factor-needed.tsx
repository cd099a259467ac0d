import { me, signOut } from "../../data/session.ts";
import { accountWords } from "../../words/account/words.ts";
import { words } from "../../words/words.ts";
import { AuthPage } from "../auth/auth-page.tsx";
import { FactorCard } from "./factor.tsx";

/** Shown to users without a second factor if the operator requires one. */
export default function FactorNeeded() {
  const { factor } = accountWords.value;
  const user = me.value;
  if (!user) return null;
  return (
    <AuthPage title={factor.needed} lead={factor.neededLead}>
      <FactorCard user={user} />
      <p>
        <button type="button" class="link" onClick={() => void signOut()}>
          {words.value.app.signOut}
        </button>
      </p>
    </AuthPage>
  );
}
