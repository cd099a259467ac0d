import { type AnswerKind, toAnswerKind } from "@avow/contract/answers";
import { type Askable, type Consent, listAskable } from "@avow/client/operations";
import { asProblem } from "../api/problem.ts";
import { send } from "../api/send.ts";
import { listDocuments } from "./documents/documents.ts";

/** Maximum number of offered configurations and vendors. */
const OFFERS_MAX = 1_000;

/** Everything that visitors are or were asked: configurations, and single vendors as `{configurationId}/{vendor}`. */
export interface Offers {
  all: readonly Askable[];
  /** The display name; the identifier if no name is known. */
  nameOf: (identifier: string) => string;
}

/** Reads all configurations and vendors of a project. @throws Problem */
export async function readOffers(projectId: string): Promise<Offers> {
  const [offered, titles] = await Promise.all([
    send(listAskable, { path: { id: projectId }, query: { limit: OFFERS_MAX } }),
    readTitles(projectId),
  ]);
  const all = offered.map((one) => ({ ...one, name: titles.get(one.identifier) ?? one.name }));
  const names = new Map([...titles, ...all.map(({ identifier, name }) => [identifier, name] as const)]);
  return { all, nameOf: (identifier) => names.get(identifier) ?? identifier };
}

/** The titles of contract forms, whose `name` is a form field's name. Empty for roles that cannot read configurations. */
async function readTitles(projectId: string): Promise<ReadonlyMap<string, string>> {
  try {
    const contracts = await listDocuments("contracts", projectId);
    return new Map(
      contracts.flatMap(({ id, title }) =>
        typeof title === "string" && title !== "" ? [[id, title] as const] : [],
      ),
    );
  } catch (error) {
    // Auditors cannot read configurations.
    if (asProblem(error).kind === "forbidden") return new Map();
    throw error;
  }
}

/** The kind of a record's answer, as statistics count it. */
export function toAnswer({
  accept,
  preferences,
}: Pick<Consent, "accept" | "preferences">): AnswerKind {
  const given = Object.values(preferences.vendors ?? {});
  return toAnswerKind(accept, given.length, given.filter(Boolean).length);
}

/** The start of a day in the browser's time zone, `days` later; undefined for an invalid or absent day. */
export function toStart(day: string | null, days = 0): string | undefined {
  const [year = NaN, month = NaN, date = NaN] = (day ?? "").split("-").map(Number);
  const at = new Date(year, month - 1, date + days);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** An instant as the value of a `datetime-local` input. */
export function toLocal(at: string | null): string {
  if (at === null) return "";
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}
