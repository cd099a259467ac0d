/** Counts of displays and answers, the links to visitors' own pages, and their requests for erasure. */
export interface PersonTables {
  person_links: {
    id: string;
    hash: Buffer;
    project_id: string;
    token: string;
    created_by: string;
    created_at: Date;
    expires_at: Date;
  };
  /** Tokens whose visitors cannot create links. */
  closed_pages: { project_id: string; token: string; closed_at: Date };
  /** Requests for erasure, at most one for each token. */
  erasure_requests: {
    id: string;
    project_id: string;
    token: string;
    requested_at: Date;
    /** When the project closed it without an erasure. */
    declined_at: Date | null;
  };
  /** Erasures that wait for a second person, at most one for each token. */
  erasure_proposals: {
    id: string;
    project_id: string;
    token: string;
    /** A user's id. */
    proposed_by: string;
    proposed_at: Date;
    expires_at: Date;
  };
  answer_counts: {
    project_id: string;
    hour: Date;
    identifier: string;
    accepted: number;
    partly: number;
    refused: number;
    /** The counts of each quarter of an hour: four numbers for each of the counts above. */
    quarters: number[][];
  };
  display_counts: {
    project_id: string;
    hour: Date;
    identifier: string;
    step: string;
    device: string;
    shown: number;
    accepted: number;
    partly: number;
    refused: number;
    /** The counts of each quarter of an hour: four numbers for each of the counts above. */
    quarters: number[][];
  };
  /** By day (UTC). */
  answer_days: {
    project_id: string;
    day: Date;
    identifier: string;
    accepted: number;
    partly: number;
    refused: number;
  };
  /** By day (UTC) and the key of a dimension ('' for keys beyond the limit). */
  answer_groups: {
    project_id: string;
    day: Date;
    dimension: string;
    key: string;
    accepted: number;
    partly: number;
    refused: number;
  };
  display_days: {
    project_id: string;
    day: Date;
    identifier: string;
    step: string;
    device: string;
    shown: number;
    accepted: number;
    partly: number;
    refused: number;
  };
  answer_counts_head: { id: number; leaf: number; counted_until: Date | null };
}
