import { getReview } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { hasRight, useRoles } from "../../data/projects/rights.ts";
import { useLoad } from "../../data/use-load.ts";
import { LoadView } from "../../ui/load-view.tsx";
import { Page } from "../../ui/page.tsx";
import { reviewWords } from "../../words/reviews/words.ts";
import { Links } from "./links.tsx";
import { ReviewCard } from "./review-card.tsx";
import { Threads } from "./threads.tsx";

/** The review of a project's draft: its approvals, comments and review links. */
export default function Reviews({ projectId = "" }: { projectId?: string }) {
  const texts = reviewWords.value;
  const roles = useRoles(projectId);
  const loaded = useLoad(() => send(getReview, { path: { projectId } }), [projectId]);
  return (
    <Page title={texts.title} lead={texts.lead}>
      <LoadView of={loaded} lines={6}>
        {(review) => (
          <div class="cards">
            <ReviewCard review={review} roles={roles ?? []} onChange={loaded.reload} />
            <Threads key={review.openThreads} projectId={projectId} roles={roles} />
            {hasRight(roles, "write") && (
              <Links
                projectId={projectId}
                mayApprove={hasRight(roles, "own") && review.settings.links}
              />
            )}
          </div>
        )}
      </LoadView>
    </Page>
  );
}
