import assert from "node:assert/strict";
import { test } from "node:test";
import { toNetwork } from "./network.ts";

test("returns an IPv4 address itself, also mapped into IPv6 or with a port", () => {
  for (const ip of [
    "192.0.2.7",
    "::ffff:192.0.2.7",
    "::FFFF:192.0.2.7",
    "::ffff:c000:207",
    "0:0:0:0:0:ffff:c000:0207",
    "192.0.2.7:50123",
    "[::ffff:192.0.2.7]:50123",
  ])
    assert.equal(toNetwork(ip), "192.0.2.7", ip);
});

test("returns the /64 of an IPv6 address in any notation", () => {
  const network = "2001:db8:0:1::/64";
  for (const ip of [
    "2001:db8:0:1:2:3:4:5",
    "2001:0DB8:0000:0001::",
    "2001:db8:0:1::ffff",
    "2001:db8:0:1:0:0:192.0.2.7",
    "2001:db8:0:1::7%eth0",
    "[2001:db8:0:1::7]:50123",
    "[2001:db8:0:1::8]",
  ])
    assert.equal(toNetwork(ip), network, ip);
  assert.equal(toNetwork("2001:db8::1:0:0:0:1"), network);
  assert.notEqual(toNetwork("2001:db8:0:2::1"), network);
  assert.equal(toNetwork("::1"), "0:0:0:0::/64");
});

test("returns anything else unchanged", () => {
  assert.equal(toNetwork(""), "");
  assert.equal(toNetwork("unix"), "unix");
});
