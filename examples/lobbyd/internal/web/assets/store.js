import { familyName } from "./text.js";

// How columns are compared. Numbers that are not known are less than all others.
const keys = {
  name: (s) => s.name.toLowerCase(),
  family: (s) => familyName(s.family).toLowerCase(),
  map: (s) => s.map.toLowerCase(),
  players: (s) => s.players ?? -1,
  version: (s) => s.version.toLowerCase(),
  age: (s) => -Date.parse(s.since),
  health: (s) => (s.quarantine ? -8 : 0) + { reachable: 4, unknown: 2, unreachable: 0 }[s.reach] + (s.verified ? 1 : 0),
};

// A Store holds all servers, with what they are searched and sorted by.
export class Store {
  #rows = new Map();
  #sort = "";

  replace(servers) {
    this.#rows.clear();
    this.change(servers, []);
  }

  change(came, gone) {
    for (const id of gone) this.#rows.delete(id);
    for (const server of came) {
      const { name, map, mode, version, address, source, node } = server;
      const folded = [name, map, mode, version, address, source, node].join("\n").toLowerCase();
      this.#rows.set(server.id, { server, folded, key: keys[this.#sort]?.(server) });
    }
  }

  // totals counts what lists have.
  totals() {
    const sum = { servers: 0, players: 0, quarantined: 0 };
    for (const { server } of this.#rows.values()) {
      if (server.quarantine) {
        sum.quarantined++;
        continue;
      }
      sum.servers++;
      sum.players += server.players ?? 0;
    }
    return sum;
  }

  // select returns the servers that a filter lets through, in the order of a column.
  select(filter, sort, descending) {
    if (sort !== this.#sort) {
      this.#sort = sort;
      for (const row of this.#rows.values()) row.key = keys[sort](row.server);
    }
    const q = filter.q.toLowerCase();
    const chosen = [];
    for (const row of this.#rows.values()) {
      const s = row.server;
      if (s.quarantine && !filter.quarantined) continue;
      if (filter.family && s.family !== filter.family) continue;
      if (filter.players && !(s.players > 0)) continue;
      if (filter.health === "verified" ? !s.verified : filter.health && s.reach !== filter.health) continue;
      if (q && !row.folded.includes(q)) continue;
      chosen.push(row);
    }
    const way = descending ? -1 : 1;
    const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    chosen.sort((a, b) => way * order(a.key, b.key) || order(a.server.id, b.server.id));
    return chosen.map((row) => row.server);
  }
}
