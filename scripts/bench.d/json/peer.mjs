// The JSON rows as one writes them in node: peer.mjs ROW OUT FILE...
import { readFileSync, writeFileSync } from "node:fs";

const [row, out, ...files] = process.argv.slice(2);
const lists = files.map((file) => JSON.parse(readFileSync(file, "utf8")));

const byTime = (a, b) => (a.createTime < b.createTime ? -1 : a.createTime > b.createTime ? 1 : 0);

function grouped(list, key) {
  const groups = new Map();
  for (const item of list) {
    const group = groups.get(item[key]);
    if (group) group.push(item);
    else groups.set(item[key], [item]);
  }
  return groups;
}

const rows = {
  sort: () => lists.flat().sort(byTime),
  numbers: () => lists[0].sort((a, b) => a - b),
  parse: () => lists[0].slice(0, 1),
  filter: () => lists[0].filter((sale) => sale.state === "open" && sale.total >= 500),
  join() {
    const orders = grouped(lists[1], "id");
    return lists[0].flatMap((person) => (orders.get(person.id) ?? []).map((order) => ({ ...person, ...order })));
  },
  group: () => Array.from(grouped(lists[0], "user"), ([key, items]) => ({ key, items })),
  totals: () =>
    Array.from(grouped(lists[0], "user"), ([user, items]) => ({
      user,
      n: items.length,
      total: items.reduce((sum, item) => sum + item.total, 0),
      most: items.reduce((most, item) => Math.max(most, item.total), 0),
    })),
  distinct: () => Array.from(grouped(lists[0], "session").values(), (items) => items[0]),
};

writeFileSync(out, JSON.stringify(rows[row]()));
