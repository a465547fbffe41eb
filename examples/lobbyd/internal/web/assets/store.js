import { favourites, isFavourite, keyOf } from "./favourites.js";
import { familyName } from "./text.js";

// How columns are compared. Unknown numbers are less than all others.
const keys = {
  name: (s) => s.name.toLowerCase(),
  game: (s) => s.game.toLowerCase(),
  family: (s) => familyName(s.family).toLowerCase(),
  map: (s) => s.map.toLowerCase(),
  players: (s) => s.players ?? -1,
  version: (s) => s.version.toLowerCase(),
  age: (s) => -Date.parse(s.since),
  health: (s) => (s.quarantine ? -8 : 0) + { reachable: 4, unknown: 2, unreachable: 0 }[s.reach] + (s.verified ? 1 : 0),
};

const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

// A Store holds all servers, with their keys for searching and sorting. It keeps them
// sorted, so that a few changes are quick and a search does not sort at all.
export class Store {
  #rows = new Map();
  #sorted = [];
  #dirty = true;
  #sort = "name";
  #descending = false;

  replace(servers) {
    this.#rows.clear();
    this.#sorted = [];
    this.change(servers, []);
  }

  change(came, gone) {
    for (const id of gone) {
      const row = this.#rows.get(id);
      if (row) row.gone = true;
      this.#rows.delete(id);
    }
    if (gone.length > 0) this.#sorted = this.#sorted.filter((row) => !row.gone);
    for (const server of came) {
      let row = this.#rows.get(server.id);
      if (!row) {
        row = {};
        this.#rows.set(server.id, row);
        this.#sorted.push(row);
      }
      const { name, game, map, mode, version, address, source, node } = server;
      row.server = server;
      row.folded = [name, game, map, mode, version, address, source, node].join("\n").toLowerCase();
      row.key = keys[this.#sort](server);
    }
    this.#dirty = true;
  }

  // totals counts the servers and players in the list, of a game or all.
  totals(game = "") {
    const sum = { servers: 0, players: 0, quarantined: 0 };
    for (const { server } of this.#sorted) {
      if (game && server.game.toLowerCase() !== game) continue;
      if (server.quarantine) {
        sum.quarantined++;
        continue;
      }
      sum.servers++;
      sum.players += server.players ?? 0;
    }
    return sum;
  }

  // games returns the names of all games, in order.
  games() {
    return [...new Set(this.#sorted.map(({ server }) => server.game.toLowerCase()))].filter(Boolean).sort();
  }

  // select returns the servers that pass a filter, in the order of a column.
  select(filter, sort, descending) {
    if (sort !== this.#sort) {
      this.#sort = sort;
      for (const row of this.#sorted) row.key = keys[sort](row.server);
      this.#dirty = true;
    }
    if (this.#dirty || descending !== this.#descending) {
      this.#descending = descending;
      const way = descending ? -1 : 1;
      this.#sorted.sort((a, b) => way * order(a.key, b.key) || order(a.server.id, b.server.id));
      this.#dirty = false;
    }
    const q = filter.q.toLowerCase();
    const chosen = [];
    for (const { server, folded } of this.#sorted) {
      if (server.quarantine && !filter.quarantined) continue;
      if (filter.family && server.family !== filter.family) continue;
      if (filter.game && server.game.toLowerCase() !== filter.game) continue;
      if (filter.players && !(server.players > 0)) continue;
      if (filter.health === "verified" ? !server.verified : filter.health && server.reach !== filter.health) continue;
      if (filter.favourites && !isFavourite(server)) continue;
      if (q && !folded.includes(q)) continue;
      chosen.push(server);
    }
    return filter.favourites && !filter.players && !filter.health ? [...chosen, ...this.#away(filter, q)] : chosen;
  }

  // away returns the favourites that are not listed and pass a filter.
  #away(filter, q) {
    const listed = new Set(this.#sorted.map(({ server }) => keyOf(server)));
    return favourites()
      .filter((server) => !listed.has(keyOf(server)))
      .filter(({ family, game }) => (!filter.family || family === filter.family) && (!filter.game || game.toLowerCase() === filter.game))
      .filter(({ name, game, address }) => [name, game, address].join("\n").toLowerCase().includes(q))
      .map((server) => ({ ...server, id: `away ${keyOf(server)}`, away: true, map: "", mode: "", version: "" }));
  }
}
