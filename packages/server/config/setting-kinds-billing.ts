import { isObject } from "@avow/contract/json";
import type { Kind } from "./setting-kinds.ts";

/** What an operator says of a plan; what is not said is as the table of plans has it. */
export interface PlanSetting {
  readonly title?: string;
  readonly layouts?: readonly string[];
  /** A limit of null means none. */
  readonly fileBytesMax?: number | null;
  readonly configurationsMax?: number | null;
  readonly seatsMax?: number | null;
}

const PLANS_MAX = 20;
const LIMIT_MAX = 1024 ** 3;
const layouts = new Set(["welcome", "category", "info", "iab", "soft_consent"]);
const namePattern = /^[a-z][a-z0-9_-]{0,31}$/;

const readers: Record<keyof PlanSetting, (value: unknown) => boolean> = {
  title: (value) => typeof value === "string" && /^[^\p{Cc}]{1,64}$/u.test(value),
  layouts: (value) => Array.isArray(value) && value.every((name) => layouts.has(name)),
  fileBytesMax: isLimit,
  configurationsMax: isLimit,
  seatsMax: isLimit,
};

function isLimit(value: unknown): boolean {
  if (value === null) return true;
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LIMIT_MAX;
}

/** A JSON object of what plans are, by their names. */
export const planSettings: Kind<Readonly<Record<string, PlanSetting>>> = {
  expected:
    'a JSON object such as {"pro":{"seatsMax":10,"configurationsMax":50},"business":{"title":"Business"}}',
  read: (value) => {
    const given = toObject(value);
    if (!given) return undefined;
    const entries = Object.entries(given);
    const isFit = entries.every(([name, plan]) => namePattern.test(name) && isPlanSetting(plan));
    return isFit && entries.length <= PLANS_MAX
      ? (given as Record<string, PlanSetting>)
      : undefined;
  },
};

const PRICES_MAX = 100;

/** `plan=price` pairs; read as the plan of each price, in their order. */
export const prices: Kind<ReadonlyMap<string, string>> = {
  expected: "plans with their prices such as pro=price_1ABC,business=price_2DEF",
  read: (value) => {
    const pairs = value.split(",").map((pair) => pair.trim().split("="));
    const plans = new Map(pairs.map(([plan = "", price = ""]) => [price, plan]));
    const isFit = pairs.every(
      ([plan = "", price = "", ...more]) =>
        namePattern.test(plan) && /^price_\w{1,128}$/.test(price) && more.length === 0,
    );
    return isFit && plans.size === pairs.length && plans.size <= PRICES_MAX ? plans : undefined;
  },
};

function isPlanSetting(plan: unknown): boolean {
  if (!isObject(plan)) return false;
  return Object.entries(plan).every(
    ([name, value]) => Object.hasOwn(readers, name) && readers[name as keyof PlanSetting](value),
  );
}

function toObject(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
