import { paths } from "@avow/contract/urls";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { type EventFacts, actorNames, findKind } from "../choices/kinds.ts";

/** An event with the names that its sentence has. */
export interface Described {
  kind: string;
  documentId: string;
  data: Record<string, unknown>;
  actor: string;
  actorName: string | undefined;
  resource: string | undefined;
  title: string | undefined;
}

/** The sentence of a notification, without its full stop. `toName` makes names safe for where it is shown. */
export function toSentence(
  { kind, data, actor, actorName, title, documentId }: Described,
  language: MailLanguage,
  toName: (name: string) => string = (name) => name,
): string {
  const { somebody, service, linkHolder } = actorNames[language];
  const system = data["linkId"] === undefined ? service : linkHolder;
  const unnamed = /^[0-9a-f]{24}$/.test(actor) ? somebody : system;
  const facts: EventFacts = {
    title: toName(title ?? documentId),
    person: actorName === undefined ? unnamed : toName(actorName),
    version: Number(data["version"] ?? 0),
    count: Number(data["news"] ?? data["days"] ?? data["percent"] ?? 0),
    isOn: data["needsSecondPerson"] === true,
  };
  return findKind(kind)?.text[language](facts) ?? kind;
}

/** The address of the screen about a notification. */
export function toScreen(
  publicUrl: string,
  { kind, resource, documentId }: Pick<Described, "kind" | "resource" | "documentId">,
): string {
  const list = resource === "organizations" ? "organizations" : "projects";
  return `${publicUrl}${paths.admin}/${list}/${documentId}${findKind(kind)?.place ?? ""}`;
}
