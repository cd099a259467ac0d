import { signal } from "@preact/signals";
import type { CreatedProposal } from "../../data/projects/move-in.ts";
import { me } from "../../data/session.ts";
import { Page } from "../../ui/page.tsx";
import { moveInWords } from "../../words/move-in/words.ts";
import { ConsentsCard } from "./consents.tsx";
import type { Conversion } from "./convert.ts";
import { CreatedCard } from "./created.tsx";
import { ProposalCard } from "./proposal.tsx";
import { ReportCard } from "./report.tsx";
import { SourceCard } from "./source.tsx";

interface Move {
  userId: string;
  conversion: Conversion;
  /** The project, once it is created. */
  created?: CreatedProposal & { title: string };
}

/** The newest conversion of this page load, so that its report is still here after a visit to the project. */
const move = signal<Move | undefined>(undefined);

/** A project from the configuration of another consent product, which this browser converts. */
export default function MoveIn() {
  const texts = moveInWords.value;
  const userId = me.value?.id ?? "";
  const own = move.value?.userId === userId ? move.value : undefined;
  const { conversion, created } = own ?? {};
  return (
    <Page title={texts.title} lead={texts.lead}>
      {created && conversion ? (
        <>
          <CreatedCard
            created={created}
            conversion={conversion}
            onRestart={() => (move.value = undefined)}
          />
          <ConsentsCard created={created} conversion={conversion} />
        </>
      ) : (
        <SourceCard
          onConverted={(converted) => (move.value = converted && { userId, conversion: converted })}
        />
      )}
      {conversion && !created && (
        <ProposalCard
          key={conversion.id}
          conversion={conversion}
          onCreated={(project) => {
            move.value = { userId, conversion, created: project };
            scrollTo(0, 0);
          }}
        />
      )}
      {conversion && <ReportCard conversion={conversion} />}
    </Page>
  );
}
