// Stands for the tag of a vendor.
globalThis.statsFired = (globalThis.statsFired ?? 0) + 1;
