import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toBase64, toHex } from "../../packages/verifier/formats/bytes.ts";
import { parseCheckpoint } from "../../packages/verifier/formats/checkpoint.ts";
import { toCosignedMessage } from "../../packages/verifier/formats/cosignature.ts";
import { FormatError } from "../../packages/verifier/formats/errors.ts";
import { parseNote, verifyNote } from "../../packages/verifier/formats/note.ts";
import { formatTlogProof, parseTlogProof } from "../../packages/verifier/formats/tlog-proof.ts";
import {
  formatVerifierKey,
  parseVerifierKey,
  parseVerifierKeys,
} from "../../packages/verifier/formats/verifier-key.ts";
import { COSIGNED_AT, newKey, signNote } from "./log.ts";

// The examples in C2SP's specifications, verbatim.
const poem = `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
`;
const exampleKey = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const exampleNote = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;
const sofa = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

// From the documentation of golang.org/x/mod/sumdb/note, the origin of the format.
const neumannKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const neumannNote = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

// A checkpoint of a public Certificate Transparency log, with two signatures by the log and four by
// witnesses.
const publicCheckpoint = `arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==
— witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0tgh0XwzdZsDsUAQ==
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
— witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==
`;
const publicKeys = `# the log
arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f

# two of the witnesses
remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2
transparency.dev/DEV:witness-little-garden+d8042a87+BCtusOxINQNUTN5Oj8HObRkh2yHf/MwYaGX4CPdiVEPM
`;
const seenAt = 1_779_573_024;

describe("signed notes (C2SP signed-note)", () => {
  it("are split at the last empty line", () => {
    const { text, signatures } = parseNote(poem);
    assert.ok(text.endsWith("\n\ned è subito sera.\n"));
    const [signature] = signatures;
    assert.equal(signatures.length, 1);
    assert.equal(signature?.name, "quasimodo.example/salvatore");
    assert.equal(toHex(signature.keyId), "367ba04b");
    assert.equal(signature.signature.length, 64);
  });

  it("verify by their key, as in the examples of the specification and of Go", async () => {
    for (const [note, key] of [
      [exampleNote, exampleKey],
      [neumannNote, neumannKey],
    ] as const) {
      const parsed = await parseVerifierKey(key);
      const signed = await verifyNote(parseNote(note), [parsed]);
      assert.deepEqual(signed, { signers: [{ key: parsed }], failed: [], unknownCount: 0 });
      const other = { ...parseNote(note), text: "This is another message.\n" };
      const { signers, failed } = await verifyNote(other, [parsed]);
      assert.deepEqual([signers.length, failed.length], [0, 1]);
    }
  });

  it("omit signatures by unknown keys, also when only the name or only the ID is known", async () => {
    const [known, twin] = [newKey("log.example"), newKey("log.example")];
    const key = await parseVerifierKey(known.text);
    const note = signNote("text\n", [twin, { ...known, name: "other.example" }, known]);
    const signed = await verifyNote(parseNote(note), [key]);
    assert.deepEqual(signed, { signers: [{ key }], failed: [], unknownCount: 2 });
  });

  it("report an invalid signature by a known key next to a valid one", async () => {
    const [log, witness] = [newKey("log.example"), newKey("witness.example", 0x04)];
    const note = signNote("text\n", [{ ...log, privateKey: witness.privateKey }, log, witness]);
    const keys = [await parseVerifierKey(log.text), await parseVerifierKey(witness.text)];
    const { signers, failed } = await verifyNote(parseNote(note), keys);
    assert.deepEqual(
      signers.map(({ key, time }) => [key.name, time]),
      [
        ["log.example", undefined],
        ["witness.example", COSIGNED_AT],
      ],
    );
    assert.deepEqual(
      failed.map(({ name }) => name),
      ["log.example"],
    );
  });

  it("are rejected in any other shape", () => {
    const line = `— example.com/foo ${toBase64(new Uint8Array(68))}`;
    for (const source of [
      "",
      "text\n",
      "text\n\n",
      `text\n\n${line}`,
      `text\n${line}\n`,
      `text\n\n${line}\n\n`,
      `te\u0000xt\n\n${line}\n`,
      `te\txt\n\n${line}\n`,
      `text\r\n\n${line}\n`,
      `te\uD800xt\n\n${line}\n`,
      `text\n\n- example.com/foo AAAAAAAA\n`,
      `text\n\n— example.com/foo\n`,
      `text\n\n— example.com/foo AAAA\n`,
      `text\n\n— example.com/foo AAAAAAAA=\n`,
      `text\n\n— example.com/foo AAAAAAB=\n`,
      `text\n\n— example.com+foo AAAAAAAA\n`,
      `text\n\n— example.com\u00A0foo AAAAAAAA\n`,
      `text\n\n—  AAAAAAAA\n`,
      `text\n\n${`${line}\n`.repeat(65)}`,
    ])
      assert.throws(() => parseNote(source), FormatError, JSON.stringify(source));
    assert.equal(parseNote(`text\n\n${`${line}\n`.repeat(16)}`).signatures.length, 16);
  });
});

describe("verifier keys (C2SP signed-note)", () => {
  it("round-trip", async () => {
    for (const text of [exampleKey, neumannKey, newKey("witness.example", 0x04).text]) {
      const { name, type, publicKey } = await parseVerifierKey(text);
      assert.equal(await formatVerifierKey(name, type, publicKey), text);
    }
    const { name, keyId, type, publicKey } = await parseVerifierKey(exampleKey);
    assert.deepEqual([name, toHex(keyId), type], ["example.com/foo", "530d903a", 1]);
    assert.equal(
      toHex(publicKey),
      "e932791ae6e7a840a46164c904786426d5e7821dd8b29a00d61cae72afdd4da4",
    );
  });

  it("are rejected with a wrong hash, type or shape", async () => {
    for (const text of [
      "",
      "example.com/foo",
      exampleKey.replace("530d903a", "530d903b"),
      exampleKey.replace("530d903a", "530D903A"),
      exampleKey.replace("example.com/foo", "example.com/fop"),
      exampleKey.replace("example.com/foo", "example.com foo"),
      exampleKey.replace("U2k", "U2l"),
      `${exampleKey}=`,
      `${exampleKey}\n`,
      newKey("ecdsa.example", 0x02).text,
    ])
      await assert.rejects(parseVerifierKey(text), FormatError, text);
  });
});

describe("checkpoints (C2SP tlog-checkpoint, tlog-cosignature)", () => {
  it("yield their log, size and root, as in the specification's example", () => {
    const { origin, size, root, extensions, note } = parseCheckpoint(sofa);
    assert.deepEqual([origin, size, extensions], ["example.com/behind-the-sofa", 20_852_163, []]);
    assert.equal(toBase64(root), "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=");
    const [, witness] = note.signatures;
    assert.equal(witness?.signature.length, 8 + 64);
    assert.equal(new DataView(witness.signature.buffer).getBigUint64(0), 1_679_315_147n);
    assert.equal(
      toCosignedMessage(1_679_315_147, note.text),
      `cosignature/v1\ntime 1679315147\n${sofa.slice(0, sofa.indexOf("\n\n") + 1)}`,
    );
  });

  it("from a public log verify by its key and by its witnesses' keys", async () => {
    const keys = await parseVerifierKeys(publicKeys);
    const { note, size } = parseCheckpoint(publicCheckpoint);
    assert.equal(size, 1_432_088_532);
    const { signers, failed, unknownCount } = await verifyNote(note, keys);
    assert.deepEqual([failed.length, unknownCount], [0, 3]);
    assert.deepEqual(
      signers.map(({ key, time }) => [key.name, time]),
      [
        ["arche2025h1.staging.ct.transparency.dev", undefined],
        ["transparency.dev/DEV:witness-little-garden", seenAt],
        ["remora.n621.de", seenAt],
      ],
    );
    const grown = parseNote(publicCheckpoint.replace("1432088532", "1432088533"));
    const forged = await verifyNote(grown, keys);
    assert.deepEqual([forged.signers.length, forged.failed.length], [0, 3]);
  });

  it("are rejected in any other shape, and above the largest safe integer", () => {
    const sized = (size: string) => sofa.replace("20852163", size);
    assert.equal(parseCheckpoint(sized("0")).size, 0);
    assert.equal(parseCheckpoint(sized("9007199254740991")).size, Number.MAX_SAFE_INTEGER);
    assert.deepEqual(parseCheckpoint(sofa.replace("\n\n", "\nmore\n\n")).extensions, ["more"]);
    for (const source of [
      sized("020852163"),
      sized("-1"),
      sized("1e3"),
      sized(""),
      sized("9007199254740992"),
      sized("99999999999999999999"),
      sofa.replace("example.com/behind-the-sofa\n", "\n"),
      sofa.replace("q2I=", "q2J="),
      sofa.replace("CsUY", ""),
      sofa.replace("\n\n", "\n\nmore\n\n"),
      exampleNote,
    ])
      assert.throws(() => parseCheckpoint(source), FormatError, source);
  });
});

describe("proofs of inclusion (C2SP tlog-proof)", () => {
  const path = ["gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=", toBase64(new Uint8Array(32))];
  const source = ["c2sp.org/tlog-proof@v1", "index 73894", ...path, "", sofa].join("\n");

  it("round-trip", () => {
    const proof = parseTlogProof(source);
    assert.deepEqual([proof.index, proof.path.map(toBase64)], [73_894, path]);
    assert.equal(proof.checkpoint.source, sofa);
    assert.equal(formatTlogProof({ ...proof, checkpoint: sofa }), source);
    const withExtra = source.replace("index", "extra YWdl\nindex");
    const { extra, ...read } = parseTlogProof(withExtra);
    assert.equal(Buffer.from(extra ?? []).toString(), "age");
    assert.equal(
      formatTlogProof({ ...read, extra: extra ?? new Uint8Array(), checkpoint: sofa }),
      withExtra,
    );
    const alone = parseTlogProof(`c2sp.org/tlog-proof@v1\nindex 0\n\n${sofa}`);
    assert.deepEqual([alone.index, alone.path], [0, []]);
  });

  it("are rejected in any other shape", () => {
    for (const wrong of [
      "",
      sofa,
      source.replace("@v1", "@v2"),
      source.replace("index 73894\n", ""),
      source.replace("73894", "073894"),
      source.replace("73894", "73894 "),
      source.replace("73894", "9007199254740993"),
      source.replace("gSKy", ""),
      source.replace("gSKy", "gSK\ny"),
      source.replace("PlQ=", "PlR="),
      source.replace("index", "extra !\nindex"),
      source.replace("index", "extra YWdl\nextra YWdl\nindex"),
      source.replace("\n\nexample", "\nexample"),
      source.replaceAll("\n", "\r\n"),
      `\n${source}`,
      `${source}\n`,
    ])
      assert.throws(() => parseTlogProof(wrong), FormatError, wrong);
  });
});
