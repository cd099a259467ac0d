import { type Kind, authorityUrl, integer, list, text, webUrl } from "./kinds.ts";
import { type ValuesOf, setting } from "./schema.ts";

/** A note's signatures are bounded, and each tree goes to all witnesses. */
const WITNESSES_MAX = 16;
const logName = text("a name without spaces and plus signs", 255, /^[^\s+]+$/u);
const seeds = text("seeds of 32 bytes in base64", 1_024, /^[A-Za-z0-9+/=\s,]+$/);

/** A URL with a verifier key (C2SP signed-note): `https://host/prefix name+hash+key`. */
const witness: Kind<{ url: string; key: string }> = {
  expected:
    "an address and a verifier key, such as https://witness.example witness.example+0123abcd+BA…",
  parse: (value) => {
    const [address = "", key = "", ...more] = value.split(/\s+/);
    const url = webUrl.parse(address);
    const isKey = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/u.test(key);
    return url !== undefined && isKey && more.length === 0 ? { url, key } : undefined;
  },
};

/** The transparency log. */
export const evidence = {
  EVIDENCE_LOG_ORIGIN: setting(logName, {
    path: "evidence.logOrigin",
    defaultShown: "PUBLIC_URL's host/log",
    description: "Name of the log in its checkpoints, which is fixed once the log has an entry.",
  }),
  EVIDENCE_LOG_KEYS: setting(seeds, {
    path: "logKeys",
    defaultShown: "DATA_DIR/log.keys",
    description: "Ed25519 seeds that sign checkpoints, newest first; the same for all nodes.",
    secret: true,
  }),
  EVIDENCE_WITNESSES: setting(list(witness, { countMax: WITNESSES_MAX }), {
    path: "evidence.witnesses",
    default: "",
    description: "Witnesses that cosign the log's checkpoints (C2SP tlog-witness).",
  }),
  EVIDENCE_TSA_URL: setting(authorityUrl, {
    description: "Time-stamping authority (RFC 3161) of the log's checkpoints.",
  }),
  EVIDENCE_TSA_EVERY_MINUTES: setting(integer(1, 31 * 24 * 60, "minutes"), {
    default: "60",
    description: "Minimum interval between two time-stamps; an unchanged log gets none.",
  }),
};

/** The time-stamping authority; undefined without one. */
export function toAuthority(
  values: ValuesOf<typeof evidence>,
): { readonly url: string; readonly everyMinutes: number } | undefined {
  const { EVIDENCE_TSA_URL: url, EVIDENCE_TSA_EVERY_MINUTES: everyMinutes } = values;
  return url === undefined ? undefined : { url, everyMinutes };
}
