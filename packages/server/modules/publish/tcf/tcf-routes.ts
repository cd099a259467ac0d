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

/** What a project's `tcf` document can name: the vendors of the list that the layout `iab` is published with. */
export function registerTcfRoutes(http: Http, { config }: Pick<Publishing, "config">): void {
  const { publicUrl } = config.http;
  const listVendors = openVendors(config);
  http.get(
    paths.tcfVendors,
    {
      schema: {
        tags: ["publish"],
        summary: "Lists the vendors of IAB Europe's list, by their names",
        description:
          "Those that may be asked for, as the operator's vendor list has them; 422 where there is none.",
        operationId: "listTcfVendors",
        querystring: Type.Pick(PageQueryIn, ["page", "perPage"]),
        response: { 200: Type.Array(ListedVendorOut) },
      },
    },
    async (req, reply) =>
      answerPage({ req, reply, publicUrl }, req.query, await listVendors(req.query)),
  );
}
