import type { JsonObject } from "@avow/contract/json";

/** What the app gives the preview to show, and how: in one message, after `ready`. */
export interface PreviewInput {
  kind: "cookies" | "processings" | "contracts";
  /** Of the configuration. */
  identifier: string;
  /** What would be published, as the service answers it. */
  content: Content;
  scheme: "light" | "dark";
  /** The place of the step that is shown; `choices`: all that can be decided, as a visitor opens it later. */
  step: number | "choices";
}

/** What the preview reads of what would be published. */
export interface Content {
  cookies?: Configuration[];
  processings?: Configuration[];
  contracts?: Configuration[];
  widget?: { theme?: Record<string, string>; words?: Record<string, Record<string, string>> };
  [field: string]: unknown;
}

interface Configuration {
  identifier: string;
  language?: string;
  settings?: JsonObject;
  [field: string]: unknown;
}

/** What the preview tells the app. */
export type PreviewMessage = "avow-preview-ready" | "avow-preview-shown";
