import { paths } from "@avow/contract/urls";
import { preferCoding } from "../../../http/files/codings.ts";
import { isUnchanged } from "../../../http/files/etags.ts";
import type { Http } from "../../../http/http.ts";
import type { WidgetFiles } from "./widget-files.ts";

const headers = {
  "access-control-allow-origin": "*",
  "cache-control": "public, max-age=300, stale-while-revalidate=86400",
  "cross-origin-resource-policy": "cross-origin",
  vary: "accept-encoding",
};

/** Serves `/widget.js` to every site. It is cached only briefly, since it names all files that it loads. */
export function registerWidgetRoute(http: Http, { hash, entry }: WidgetFiles): void {
  http.get(
    paths.widget,
    {
      config: { cors: "any", streamed: ["text/javascript"] },
      schema: {
        tags: ["files"],
        operationId: "getWidget",
        summary: "Get the widget's script",
        description: "Cached for five minutes and compressed as the client accepts.",
      },
    },
    async (req, reply) => {
      const coding = preferCoding(req);
      void reply.headers(headers);
      if (coding !== "identity") void reply.header("content-encoding", coding);
      if (isUnchanged(req, reply, `"${hash.slice(0, 32)}-${coding}"`))
        return reply.code(304).send();
      return reply.type("text/javascript; charset=utf-8").send(entry[coding]);
    },
  );
}
