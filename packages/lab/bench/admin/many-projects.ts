import type { Page } from "playwright-core";
import type { Account } from "../../demo/setup.ts";
import type { Client } from "../../instance/requests.ts";
import { ask } from "../measure/database.ts";

/** A title among the projects that a search finds once. */
const wanted = "Shop 07777";

/** Gives an account `count` projects, copies of one that the service creates. */
export async function addProjects(
  anyone: Client,
  { account, database, count }: { account: Account; database: string; count: number },
): Promise<void> {
  const { token } = await anyone.send<{ token: string }>("/v1/auth/local/signin", {
    json: { username: account.email, password: account.password },
  });
  const { id } = await anyone.withToken(token).send<{ id: string }>("/v1/vault/projects", {
    json: { websiteURL: "https://shop.example", title: "Shop 00000" },
  });
  await ask(
    database,
    `INSERT INTO documents (id, resource, body, version, created_at, created_by, updated_at, updated_by)
     SELECT substr(md5(d.id || n), 1, 24), d.resource,
       (d.body::jsonb || jsonb_build_object('title', 'Shop ' || lpad(n::text, 5, '0'),
         'websiteURL', 'https://shop-' || n || '.example'))::json,
       d.version, d.created_at - n * interval '1 minute', d.created_by,
       d.updated_at - n * interval '1 minute', d.updated_by
     FROM documents d, generate_series(1, $2::integer - 1) n WHERE d.id = $1`,
    [id, count],
  );
  await ask(
    database,
    `INSERT INTO document_users (document_id, user_id, roles, added_at)
     SELECT substr(md5(u.document_id || n), 1, 24), u.user_id, u.roles, u.added_at
     FROM document_users u, generate_series(1, $2::integer - 1) n WHERE u.document_id = $1`,
    [id, count],
  );
  await ask(database, "ANALYZE documents, document_users");
}

/** Types into the focused field; resolves with the time in ms until `selector` shows the wanted project alone. */
export async function measureSearch(page: Page, selector: string): Promise<number> {
  // The listener is there before the input, which takes another way into the page.
  await page.evaluate(`(() => {
    let from;
    addEventListener("input", () => (from ??= performance.now()), { once: true, capture: true });
    window.searched = new Promise((done) => {
      const look = () => {
        const texts = [...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent);
        const isFound = texts.length === 1 && texts[0].includes(${JSON.stringify(wanted)});
        if (from !== undefined && isFound) done(performance.now() - from);
        else requestAnimationFrame(look);
      };
      look();
    });
  })()`);
  await page.keyboard.insertText(wanted);
  return page.evaluate<number>("searched");
}
