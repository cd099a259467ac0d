import type { Activity } from "@avow/client/operations";
import type { Role } from "../../data/projects/project.ts";
import { activityWords } from "../../words/activity/words.ts";
import type { Act } from "./runs.ts";

/** A thing that a sentence names, with the screen that shows it. */
interface Thing {
  text: string;
  /** The path in the app; undefined where no screen shows it. */
  to: string | undefined;
}

export type Part = string | Thing;

type Noun = keyof typeof activityWords.value.nouns;

const screens: Readonly<Record<string, string>> = {
  projects: "settings",
  cookies: "cookies/",
  processings: "processings/",
  contracts: "contracts/",
};

/** The name of who acted. */
export function toActorText({ actor }: Activity): string {
  const { service, visitor, linkHolder, somebody } = activityWords.value;
  if (actor.name !== undefined) return actor.name;
  if (actor.id === "review-link") return linkHolder;
  if (actor.id === "visitor") return visitor;
  return /^[0-9a-f]{24}$/.test(actor.id) ? somebody : service;
}

/** An act without its actor: “edited the banner “Shop” 6 times”. */
export function toClause(projectId: string, act: Act): readonly Part[] {
  const { clauses, version } = activityWords.value;
  const { entry, latest, count, total } = act;
  const { event, details, document, member, actor } = entry;
  const at = `/projects/${projectId}`;
  const toPlace = (text: string, place: string): Thing => ({ text, to: `${at}/${place}` });
  const repeat = (text: string, place: string): Part[] => [
    toPlace(clauses.repeated(text, count), place),
  ];
  const [, change = ""] = event.split(".");
  switch (event) {
    case "project.created":
      return clauses.createdProject();
    case "project.moved":
      return clauses.moved();
    case "project.updated":
    case "configuration.updated":
      return clauses.updated(toThing(at, entry), count);
    case "configuration.created":
      return clauses.created(toThing(at, entry));
    case "configuration.deleted":
      return clauses.deleted({ ...toThing(at, entry), to: undefined });
    case "publish.done": {
      const thing = toPlace(version(Number(latest.details["version"])), "publish");
      const isStaging = details["environment"] === "staging";
      return clauses.published(thing, isStaging, details["unchanged"] === true);
    }
    case "publish.failed":
      return clauses.publishFailed(toPlace(clauses.attempt, "publish"), count);
    case "publish.withdrawn":
      return clauses.withdrawn();
    case "snippet.mailed":
      return clauses.mailedSnippet();
    case "scan.done": {
      const place = `scans/${document?.id ?? ""}`;
      return clauses.scanned(toPlace(clauses.scan, place), Number(details["news"] ?? 0));
    }
    case "scan.failed":
      return [toPlace(clauses.scanFailed, "scans")];
    case "rights.changed":
      return toRightsClause(at, latest, actor.id === member?.id);
    case "import.done":
    case "import.failed":
      return [toPlace(change === "done" ? clauses.import : clauses.importFailed, "transfers")];
    case "export.done":
      return repeat(clauses.exported, "transfers");
    case "dossier.done":
      return repeat(clauses.audited, "consents");
    case "consent.erased":
      return clauses.erased(total, details["reason"] === "retention");
    case "erasure.requested":
      return repeat(clauses.askedErasure, "consents");
    case "erasure.declined":
      return repeat(clauses.declined, "consents");
    case "erasure.proposed":
      return repeat(clauses.proposed, "consents");
    case "erasure.rejected":
      return repeat(clauses.rejected, "consents");
    case "erasure-rule.changed":
      return [toPlace(clauses.rule(latest.details["needsSecondPerson"] === true), "settings")];
    case "comment.created":
      return repeat(clauses.commented, "reviews");
    case "comment.resolved":
      return repeat(clauses.resolved, "reviews");
    case "review.requested":
      return repeat(clauses.askedReview, "reviews");
    case "review.changes-requested":
      return repeat(clauses.requestedChanges, "reviews");
    case "approval.given":
      return repeat(clauses.approved, "reviews");
    case "approval.withdrawn": {
      const isApproval = details["decision"] === "approved";
      return repeat(isApproval ? clauses.unapproved : clauses.withdrewRequest, "reviews");
    }
    default:
      return [event];
  }
}

function toThing(at: string, { document, details }: Activity): Thing {
  const { nouns, named, other } = activityWords.value;
  const { resource: deleted } = details;
  const resource = document?.resource ?? (typeof deleted === "string" ? deleted : "");
  const noun = nouns[resource as Noun] ?? other;
  const { title } = document ?? {};
  const text = title === undefined || resource === "projects" ? noun : named(noun, title);
  const place = screens[resource];
  const id = place?.endsWith("/") ? (document?.id ?? "") : "";
  return { text, to: place === undefined ? undefined : `${at}/${place}${id}` };
}

function toRightsClause(at: string, { member, details }: Activity, isOwn: boolean) {
  const { clauses, someone } = activityWords.value;
  const person: Thing = { text: member?.name ?? someone, to: `${at}/team` };
  const roles = details["roles"] as readonly Role[] | undefined;
  if (roles && roles.length > 0) return clauses.given(person, roles);
  return isOwn ? clauses.left() : clauses.removed(person);
}
