import type { JsonObject } from "@avow/contract/json";

/** The message from the app to the preview, sent once after `avow-preview-ready`. */
export interface PreviewInput {
  kind: "cookies" | "processings" | "contracts";
  identifier: string;
  /** The publication, as the service returns it. */
  content: Content;
  scheme: "light" | "dark";
  /** The index of the shown step; `choices`: the preference center, which visitors open later. */
  step: number | "choices";
  /** Whether the frame is transparent, so that the app can show a picture behind it. */
  hasBackdrop?: boolean;
  /** The visitor's region. */
  region: string | undefined;
}

/** The parts of a publication that the preview reads. */
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

/** The messages from the preview to the app. */
export type PreviewMessage = "avow-preview-ready" | "avow-preview-shown";
