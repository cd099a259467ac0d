import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { PageQueryIn, answerPage } from "../../../http/lists/pages.ts";
import { paths } from "@avow/contract/urls";
import type { Publishing } from "../publications/publishing.ts";
import { openVendors } from "./tcf-vendors.ts";

const Ids = Type.Array(Type.Integer());
const ListedVendorOut = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    purposes: Ids,
    legIntPurposes: Ids,
    specialPurposes: Ids,
    features: Ids,
    specialFeatures: Ids,
    policyUrl: Type.Optional(Type.String()),
  },
  { title: "TcfVendor" },
);

/** Lists the vendors that a project's `tcf` document can reference. */
export function registerTcfRoutes(http: Http, app: Pick<Publishing, "db" | "config">): void {
  const { publicUrl } = app.config.http;
  const listVendors = openVendors(app);
  http.get(
    paths.tcfVendors,
    {
      schema: {
        tags: ["publish"],
        summary: "List the vendors of IAB Europe's list by name",
        description:
          "The vendors of the operator's list, without those that IAB has removed; 422 if there is no list.",
        operationId: "listTcfVendors",
        querystring: Type.Pick(PageQueryIn, ["page", "perPage"]),
        response: { 200: Type.Array(ListedVendorOut) },
      },
    },
    async (req, reply) =>
      answerPage({ req, reply, publicUrl }, req.query, await listVendors(req.query)),
  );
}
