import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A key with a self-signed certificate of an address; undefined without openssl. */
export async function newCertificate(
  ip: string,
): Promise<{ key: string; cert: string } | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "avow-certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const named = ["-subj", "/CN=server of a test", "-addext", `subjectAltName=IP:${ip}`];
  try {
    await promisify(execFile)("openssl", [
      "req",
      "-x509",
      ...made,
      ...named,
      "-keyout",
      key,
      "-out",
      cert,
    ]);
    return { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
