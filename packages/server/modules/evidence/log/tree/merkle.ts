import { hash } from "node:crypto";
import { createMerkle } from "@avow/contract/merkle";

export const { appendEntries, emptyRoot, hashLeaf, hashNode, hashRow, rootOf } = createMerkle(
  (bytes) => hash("sha256", bytes, "latin1"),
);
