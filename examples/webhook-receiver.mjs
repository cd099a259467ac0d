// A webhook receiver. Run `npm install standardwebhooks`, then:
//   AVOW_WEBHOOK_SECRET=whsec_… PORT=3000 node webhook-receiver.mjs
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const BODY_BYTES_MAX = 1024 * 1024;
const webhook = new Webhook(process.env.AVOW_WEBHOOK_SECRET);
/** In production, store these ids in your database, in the transaction of your work: this set is lost at exit. */
const done = new Set();

/** Your work, called once for each `webhook-id`. */
async function take(id, event) {
  console.log(`${event.type} ${id} ${JSON.stringify(event.data)}`);
}

async function readBody(req) {
  const chunks = [];
  let length = 0;
  for await (const chunk of req) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) throw new Error("too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function receive(req) {
  // The signature covers the exact bytes: verify the body before it is parsed.
  const body = await readBody(req);
  let event;
  try {
    event = webhook.verify(body, req.headers);
  } catch {
    return 400;
  }
  const id = req.headers["webhook-id"];
  if (!done.has(id)) await take(id, event);
  done.add(id);
  return 204;
}

const server = createServer((req, res) => {
  receive(req).then(
    (status) => res.writeHead(status).end(),
    // After a 500, the webhook is delivered again later.
    (error) => {
      console.error(error);
      res.writeHead(500).end();
    },
  );
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});
