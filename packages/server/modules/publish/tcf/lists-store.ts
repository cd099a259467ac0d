import type { Db, Tx } from "../../../platform/db/db.ts";

/** The newest stored vendor list, without its content. */
export interface NewestList {
  version: number;
  checked_at: Date;
}

export function findNewest(db: Db | Tx): Promise<NewestList | undefined> {
  return db
    .selectFrom("tcf_vendor_lists")
    .select(["version", "checked_at"])
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The content of a stored vendor list, which was validated when it was stored. */
export async function findList(db: Db | Tx, version: number): Promise<unknown> {
  const row = await db
    .selectFrom("tcf_vendor_lists")
    .select("list")
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.list;
}

/** Stores a version; one that is stored already keeps its content. */
export async function insertList(
  tx: Tx,
  { version, list, at }: { version: number; list: string; at: Date },
): Promise<void> {
  await tx
    .insertInto("tcf_vendor_lists")
    .values({ version, list, fetched_at: at, checked_at: at })
    .onConflict((conflict) => conflict.column("version").doUpdateSet({ checked_at: at }))
    .execute();
}

/** IAB's texts in the first of these languages that is stored. */
export async function findTranslation(db: Db | Tx, languages: readonly string[]): Promise<unknown> {
  const rows = await db
    .selectFrom("tcf_translations")
    .select(["language", "texts"])
    .where("language", "in", languages)
    .execute();
  const found = languages.map((name) => rows.find(({ language }) => language === name));
  return found.find(Boolean)?.texts;
}

export async function upsertTranslation(
  tx: Tx,
  { language, texts, at }: { language: string; texts: string; at: Date },
): Promise<void> {
  await tx
    .insertInto("tcf_translations")
    .values({ language, texts, fetched_at: at })
    .onConflict((conflict) => conflict.column("language").doUpdateSet({ texts, fetched_at: at }))
    .execute();
}
