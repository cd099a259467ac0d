import type { FieldFault } from "../../../platform/errors.ts";
import type { OfferedConfiguration } from "../offers/offered.ts";
import type { Answer } from "./answer.ts";

const FUTURE_MAX_MS = 5 * 60_000;
const PAST_MAX_MS = 30 * 86_400_000;

/** Warnings about suspicious parts of an answer, which is stored anyway; `ticketFault` is that about its ticket. */
export function findWarnings(
  answer: Answer,
  { offers }: OfferedConfiguration,
  { now, ticketFault }: { now: Date; ticketFault?: string | undefined },
): FieldFault[] {
  const warnings = Object.keys(answer.preferences?.vendors ?? {})
    .filter((slug) => slug === "" || !offers.has(slug))
    .map((slug) => ({
      path: `/preferences/vendors/${slug.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      message: "was not offered by this configuration",
    }));
  const lateMs = answer.clientAt ? now.getTime() - answer.clientAt.getTime() : 0;
  if (lateMs < -FUTURE_MAX_MS)
    warnings.push({ path: "/timestamp", message: "lies more than 5 minutes in the future" });
  if (lateMs > PAST_MAX_MS)
    warnings.push({ path: "/timestamp", message: "lies more than 30 days in the past" });
  const { answeredAt } = answer.preferences?.imported ?? {};
  if (answeredAt !== undefined && Date.parse(answeredAt) - now.getTime() > FUTURE_MAX_MS)
    warnings.push({
      path: "/preferences/imported/answeredAt",
      message: "lies more than 5 minutes in the future",
    });
  if (ticketFault !== undefined) warnings.push({ path: "/ticket", message: ticketFault });
  return warnings;
}
