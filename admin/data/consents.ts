import { type Askable, type Consent, listAskable } from "../api/interface.ts";
import { send } from "../api/send.ts";

/** More are not offered to choose from. */
const OFFERS_MAX = 1_000;

/** What visitors are or were asked: configurations, and single vendors as `{configurationId}/{vendor}`. */
export interface Offers {
  all: readonly Askable[];
  /** What it is called; its own name where nobody knows. */
  nameOf: (identifier: string) => string;
}

/** Reads what visitors of a project are asked. @throws Problem */
export async function readOffers(projectId: string): Promise<Offers> {
  const all = await send(listAskable, { path: { id: projectId }, query: { limit: OFFERS_MAX } });
  const names = new Map(all.map(({ identifier, name }) => [identifier, name]));
  return { all, nameOf: (identifier) => names.get(identifier) ?? identifier };
}

export type Answer = "accepted" | "partly" | "refused";

/** What a record says of all that was asked. */
export function toAnswer({ accept, preferences }: Pick<Consent, "accept" | "preferences">): Answer {
  const given = Object.values(preferences.vendors ?? {});
  if (!accept && !given.includes(true)) return "refused";
  return given.includes(false) ? "partly" : "accepted";
}

/** The instant at which a day begins here, `days` later; undefined for none. */
export function toStart(day: string | null, days = 0): string | undefined {
  const [year = NaN, month = NaN, date = NaN] = (day ?? "").split("-").map(Number);
  const at = new Date(year, month - 1, date + days);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** An instant as a field of local date and time has it. */
export function toLocal(at: string | null): string {
  if (at === null) return "";
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}
