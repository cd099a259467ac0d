import type { FastifyBaseLogger } from "fastify";
import type { Config } from "./config/config.ts";
import type { ClaimLink } from "./modules/auth/instance/claims.ts";
import { toDemoCommand } from "./modules/demo/command.ts";
import { paths } from "@avow/contract/urls";
import { isPretty } from "./platform/log.ts";

interface Started {
  /** The address that the service listens on; links use `publicUrl`. */
  address: string;
  embedded: boolean;
  /** The link that makes an account the first operator. */
  claim: ClaimLink | undefined;
  log: Pick<FastifyBaseLogger, "info">;
}

/** Announces the addresses: as text on a terminal, else as a log line. */
export function announce(config: Config, { address, embedded, claim, log }: Started): void {
  const { publicUrl } = config.http;
  const reference = publicUrl + paths.reference;
  const next = toDemoCommand(config.http);
  if (!isPretty(config.log.format)) {
    const places = { url: publicUrl, address, reference, dataDir: config.dataDir, next };
    log.info(places, `Avow answers at ${publicUrl}; its reference is ${reference}; try ${next}`);
    if (claim)
      log.info(
        { link: claim.url, expiresAt: claim.expiresAt },
        "no operator yet, claim link created",
      );
    return;
  }
  const rows = [
    ["API", publicUrl + paths.root],
    ["Reference", reference],
    ...(config.demo ? [["Demo page", publicUrl + paths.demo]] : []),
    ["Try it", `${next} (in another terminal)`],
    ...(claim ? [["Operator", `${claim.url} (works once, within a day)`]] : []),
    ["Data", config.dataDir + (embedded ? "" : ", and the database of DATABASE_URL")],
    ...(address === publicUrl ? [] : [["Listening", address]]),
    ["Stop", "Ctrl-C"],
  ];
  const lines = rows.map(([name = "", value = ""]) => `  ${name.padEnd(11)}${value}`);
  process.stdout.write(`\nAvow answers at ${publicUrl}\n\n${lines.join("\n")}\n\n`);
}
