import { number } from "./text.js";
import { Row } from "./row.js";

const perPage = 100;

// A Table shows a page of servers. Rows that stay keep their elements, and so the
// focus and the selection. The first page replaces the rows that the server has made.
export class Table {
  #body = document.querySelector("#games tbody");
  #pager = document.getElementById("pager");
  #rows = new Map();
  #servers = [];
  #page = 0;
  #served = [...this.#body.rows];

  constructor() {
    this.#pager.addEventListener("click", (event) => {
      const step = Number(event.target.dataset.page);
      if (!step) return;
      this.#page += step;
      this.#draw();
      document.getElementById("games").scrollIntoView({ block: "start" });
    });
    this.#body.addEventListener("keydown", (event) => {
      const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
      const link = step && event.target.closest("tr")?.[step]?.querySelector("a");
      if (!link) return;
      event.preventDefault();
      link.focus();
    });
  }

  show(servers) {
    this.#servers = servers;
    this.#draw();
  }

  first() {
    this.#page = 0;
  }

  focus() {
    this.#body.querySelector("a")?.focus();
  }

  tick() {
    for (const row of this.#rows.values()) row.tick();
  }

  #draw() {
    const pages = Math.max(1, Math.ceil(this.#servers.length / perPage));
    this.#page = Math.min(Math.max(this.#page, 0), pages - 1);
    const from = this.#page * perPage;
    const shown = this.#servers.slice(from, from + perPage);
    this.#rowsOf(shown);
    this.#pager.hidden = pages === 1;
    const [previous, text, next] = this.#pager.children;
    text.textContent = `${number(from + 1)} to ${number(from + shown.length)} of ${number(this.#servers.length)}`;
    // aria-disabled, because a disabled button would lose the focus.
    previous.setAttribute("aria-disabled", this.#page === 0);
    next.setAttribute("aria-disabled", this.#page === pages - 1);
  }

  #rowsOf(servers) {
    const focused = document.activeElement;
    const link = this.#served.some((row) => row.contains(focused)) && focused.getAttribute("href");
    for (const row of this.#served.splice(0)) row.remove();
    const rows = new Map();
    let place = this.#body.firstElementChild;
    for (const server of servers) {
      let row = this.#rows.get(server.id);
      if (row) row.show(server);
      else row = new Row(server);
      rows.set(server.id, row);
      if (row.element === place) place = place.nextElementSibling;
      else this.#body.insertBefore(row.element, place);
    }
    for (const [id, row] of this.#rows) {
      if (!rows.has(id)) row.element.remove();
    }
    this.#rows = rows;
    if (link) this.#body.querySelector(`a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
    if (focused !== document.activeElement && this.#body.contains(focused)) focused.focus({ preventScroll: true });
  }
}
