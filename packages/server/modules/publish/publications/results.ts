import type { Finding } from "../check/rules/finding.ts";
import type { ListName } from "@avow/contract/published";

/** A configuration of a publish job, with the version of its document in the vault. */
export interface ConfigurationResult {
  collection: ListName;
  identifier: string;
  name: string;
  version: number;
}

/** A configuration that stays at its live version, or unpublished, and the findings that hold it back. */
export interface HeldBack extends ConfigurationResult {
  /** The first finding, and the number of further ones. */
  reason: string;
  /** With their paths inside the configuration. */
  findings: Finding[];
}

/** The configurations that a job was asked for, each in one of the lists (wire section 9). */
export interface PublishResults {
  published: ConfigurationResult[];
  unchanged: ConfigurationResult[];
  heldBack: HeldBack[];
}
