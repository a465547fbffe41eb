import { date, number, put, time } from "./text.js";

const hour = 60 * 60 * 1000;
// The ranges of time: how long they are, and how readers call their beginning.
export const ranges = {
  day: { length: 24 * hour, since: "24 h ago" },
  week: { length: 7 * 24 * hour, since: "7 days ago" },
  month: { length: 30 * 24 * hour, since: "30 days ago" },
};
const width = 480;
const height = 72;
export const svg = (tag, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

// A Chart draws a series of the history in a tile, with how much there is now.
export class Chart {
  #tile;
  series;
  #points = [];
  #span = 600_000;
  #range = "day";
  #now = null;

  constructor(tile) {
    this.#tile = tile;
    this.series = tile.dataset.series;
    const drawing = tile.querySelector("svg");
    drawing.addEventListener("pointermove", (event) => this.#point(event));
    drawing.addEventListener("pointerleave", () => this.#say(""));
  }

  show(history, range = "day") {
    this.#range = range;
    put(this.#tile.querySelector(".axis span"), ranges[range].since);
    this.#span = history.span * 1000;
    this.#points = history.points.map((p) => ({ at: Date.parse(p.time), value: p[this.series] }));
    this.#draw();
  }

  get #length() {
    return ranges[this.#range].length;
  }

  now(value) {
    if (value === this.#now) return;
    this.#now = value;
    this.#tile.querySelector("strong").textContent = number(value);
  }

  // The points are steps. A gap is a time without data.
  #draw() {
    const end = Date.now();
    const most = Math.max(1, ...this.#points.map((p) => p.value));
    const x = (at) => Math.min(width, Math.max(0, width * (1 - (end - at) / this.#length))).toFixed(1);
    const y = (value) => (height - 3 - (height - 8) * (value / most)).toFixed(1);
    let line = "";
    let area = "";
    let last = -Infinity;
    for (const { at, value } of this.#points) {
      const until = Math.min(at + this.#span, end);
      const adjoins = at <= last + this.#span / 2;
      line += `${adjoins ? "L" : "M"}${x(at)} ${y(value)}L${x(until)} ${y(value)}`;
      area += `M${x(at)} ${height}V${y(value)}H${x(until)}V${height}Z`;
      last = until;
    }
    this.#tile.querySelector("svg").replaceChildren(
      svg("path", { class: "area", d: area }), svg("path", { class: "line", d: line }));
    const what = this.series === "servers" ? "Games" : "Players";
    this.#tile.querySelector("svg").setAttribute("aria-label",
      this.#points.length === 0 ? `${what}: no history yet`
        : `${what} over the last ${this.#range}: at most ${number(most)}, now ${number(this.#now ?? 0)}`);
    this.#tile.dataset.most = `at most ${number(most)}`;
    this.#say("");
  }

  #point(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const at = Date.now() - this.#length * (1 - (event.clientX - box.left) / box.width);
    const point = this.#points.find((p) => p.at <= at && at < p.at + this.#span);
    this.#say(point ? `${number(point.value)} at ${this.#range === "day" ? time(point.at) : date(point.at)}` : "");
  }

  #say(text) {
    this.#tile.querySelector("output").textContent = text || this.#tile.dataset.most || "";
  }
}
