// Gather in node: fetch and Promise.allSettled.
//
//   node gather.mjs BASE_URL UID SESSION_ID
import { createHash } from "node:crypto";

const [base, uid, session] = process.argv.slice(2);
const token = createHash("md5").update(uid + session).digest("hex");

async function relation(path, form) {
  const answer = await fetch(base + path, { method: "POST", body: new URLSearchParams(form) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const body = await answer.json();
  if (body.code !== "200") throw new Error(body.message);
  return body.data.relation;
}

const ends = await Promise.allSettled([
  relation("/relation/detail", { uid, session_id: session, token }),
  relation("/relation/reward", {}),
]);
for (const end of ends) if (end.status === "rejected") console.error(end.reason.message);
const page = ends.flatMap((end) => (end.status === "fulfilled" ? end.value : []));
page.sort((a, b) => (a.createTime < b.createTime ? -1 : a.createTime > b.createTime ? 1 : 0));
process.stdout.write(JSON.stringify(page) + "\n");
