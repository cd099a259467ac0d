// One install at a time: concurrent ones would delete each other's files.
import { rmSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const SOCKET = ".avow-install.sock";
const WAIT_MS_MAX = 10 * 60_000;

/**
 * Waits until no other process installs in `root`, and blocks other processes until the returned function is
 * called or this process exits. The lock is a listening socket, so that it ends with its process. On a file
 * system without sockets there is no lock.
 */
export async function takeInstallLock(root) {
  // A relative name, since the path of a socket must be short.
  process.chdir(root);
  const until = performance.now() + WAIT_MS_MAX;
  while (performance.now() < until) {
    const release = await listen();
    if (release) return release;
    await waitForHolder();
  }
  throw new Error(
    "Another process has been installing dependencies for 10 minutes. Stop it and try again.",
  );
}

/** Takes the lock: returns the function that releases it, or undefined when another process has it. */
function listen() {
  const waiters = new Set();
  const server = createServer((socket) => {
    waiters.add(socket.unref());
    socket.once("error", () => undefined);
  });
  const release = () => {
    server.close();
    for (const socket of waiters) socket.destroy();
  };
  return new Promise((fulfil) => {
    server.once("error", (error) => fulfil(error.code === "EADDRINUSE" ? undefined : release));
    server.listen(SOCKET, () => fulfil(release));
    server.unref();
  });
}

/** Fulfilled when the holder has released the lock or exited; removes the socket file of a killed holder. */
async function waitForHolder() {
  const found = statSync(SOCKET, { throwIfNoEntry: false });
  const held = await new Promise((fulfil) => {
    const socket = connect(SOCKET);
    socket.once("connect", () =>
      console.error("Waiting for another process to install dependencies …"),
    );
    socket.once("close", (failed) => fulfil(!failed));
    socket.once("error", () => undefined);
  });
  if (held) return;
  // Another waiter may have created the file again, so only the socket that refused is removed.
  if (found && statSync(SOCKET, { throwIfNoEntry: false })?.ino === found.ino)
    rmSync(SOCKET, { force: true });
  await delay(20);
}
