import { putName } from "./colour.js";
import { Star } from "./favourites.js";
import { svg } from "./chart.js";
import { ago, badges, date, familyName, make, players, put, spectators } from "./text.js";

// A Row is a row of the table. It changes only what has changed.
export class Row {
  #shown = null;
  #name = make("a");
  #below = make("span", { class: "below" });
  #narrow = make("span", { class: "below narrow" });
  #star = new Star(make("button", { type: "button", class: "star" }));
  #game = make("td", { class: "c-game", dir: "auto" });
  #family = make("span", { class: "badge" });
  #map = make("td", { class: "c-map", dir: "auto" });
  #players = make("span");
  #fill = svg("rect", { class: "fill", height: 4 });
  #spectators = make("span", { class: "below" });
  #version = make("td", { class: "c-version", dir: "auto" });
  #age = make("time");
  #health = make("td", { class: "c-health" });

  constructor(server) {
    this.element = make("tr", {},
      make("th", { scope: "row", class: "c-name" }, this.#star.element, make("bdi", {}, this.#name), " ", this.#below, " ", this.#narrow),
      this.#game,
      make("td", { class: "c-family" }, this.#family),
      this.#map,
      make("td", { class: "c-players" }, this.#players, this.#meter(),
        this.#spectators),
      this.#version,
      make("td", { class: "c-age" }, this.#age),
      this.#health);
    if (!server.away) this.#name.href = `/server/${encodeURIComponent(server.id)}`;
    this.show(server);
  }

  show(server) {
    this.#star.show(server);
    if (server === this.#shown) return;
    const before = this.#shown;
    this.#shown = server;
    putName(this.#name, server);
    put(this.#below, [server.address, server.mode].filter(Boolean).join(" · "));
    put(this.#narrow, [server.game || familyName(server.family), server.map, server.version].filter(Boolean).join(" · "));
    put(this.#game, server.game || "–");
    put(this.#family, familyName(server.family));
    this.#family.className = `badge family-${server.family}`;
    put(this.#map, server.map || "–");
    put(this.#version, server.version || "–");
    this.element.classList.toggle("is-away", Boolean(server.away));
    if (put(this.#players, players(server)) && before) this.#flash();
    put(this.#spectators, spectators(server));
    const full = Math.min(1, (server.players ?? 0) / (server.maxPlayers || Infinity));
    this.#fill.setAttribute("width", 100 * full);
    this.#fill.classList.toggle("full", full === 1);
    if (!server.away) {
      this.#age.dateTime = server.since;
      this.#age.title = date(server.since);
    }
    this.tick();
    if (!before || ["reach", "verified", "saved", "official", "local", "quarantine"].some((fact) => before[fact] !== server[fact])) {
      this.#health.replaceChildren(...badges(server));
    }
    this.element.classList.toggle("in-quarantine", Boolean(server.quarantine));
  }

  #meter() {
    const meter = svg("svg", { class: "meter", viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" });
    meter.append(this.#fill);
    return meter;
  }

  tick() {
    put(this.#age, this.#shown.away ? "–" : ago(this.#shown.since));
  }

  // A number that changed is highlighted for a moment, unless the user prefers reduced
  // motion.
  #flash() {
    this.#players.classList.remove("changed");
    requestAnimationFrame(() => this.#players.classList.add("changed"));
  }
}
