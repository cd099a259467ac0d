import { me } from "../../data/session.ts";
import { Missing } from "../../ui/missing.tsx";
import { Page } from "../../ui/page.tsx";
import { instanceWords } from "../../words/instance/words.ts";
import { OperatorWelcome } from "../start/operator-welcome.tsx";
import { OperatorsCard } from "./operators.tsx";
import { SignupsCard } from "./signups.tsx";
import { StatusCard } from "./status.tsx";

/** The state and the settings of the installation, for its operators. */
export default function Instance() {
  const { title, lead } = instanceWords.value;
  if (me.value?.operator !== true) return <Missing />;
  return (
    <Page title={title} lead={lead}>
      <div class="cards">
        <OperatorWelcome />
        <StatusCard />
        <SignupsCard />
        <OperatorsCard />
      </div>
    </Page>
  );
}
