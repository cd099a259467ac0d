import { readOrganization } from "../../data/projects/organizations.ts";
import { organizationWords } from "../../words/organizations/words.ts";
import { People } from "../team/people.tsx";

/** The members of an organization. */
export default function OrganizationTeam({ organizationId = "" }: { organizationId?: string }) {
  return (
    <People
      target={{ collection: "organizations", id: organizationId }}
      lead={organizationWords.value.team.lead}
      onLoad={() => readOrganization(organizationId)}
    />
  );
}
