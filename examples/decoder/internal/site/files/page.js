"use strict";

// The page shows what the codecs explain. All texts from files and links become text nodes.

const maxFile = 16 << 20; // as in package input
const maxShown = 1 << 14; // bytes of a message that are drawn
const maxLink = 4096; // bytes of a message in a link
const exampleText = `# Message: sqp.QueryResponse
01 c0 7a 6c 3d 00 01 00 00 00 5b 00 00 00 57 00 00 00 10 14 55 45 34 20 44 65 64 69 63 61 74 65
64 20 53 65 72 76 65 72 2e 2f 53 63 72 69 70 74 2f 53 68 6f 6f 74 65 72 47 61 6d 65 2e 53 68 6f
6f 74 65 72 47 61 6d 65 5f 54 65 61 6d 44 65 61 74 68 4d 61 74 63 68 03 30 30 31 08 48 69 67 68
72 69 73 65 1e 61`;

const element = (id) => document.getElementById(id);
const text = element("text"), picker = element("files"), message = element("message"), form = element("form");

let files = []; // what is shown: {name, data}
let shown = null; // the message that is shown, as lobbywire.explain returns it
let rows = []; // of its fields: {row, from, to}
let cells = []; // of its bytes, by offset
let owner = []; // the index of the row of each byte
let chosen = -1; // the index of the chosen row

// make returns a new element with a class and children, which are nodes or texts.
function make(name, className, ...children) {
	const e = document.createElement(name);
	if (className) e.className = className;
	e.append(...children);
	return e;
}

function say(words, broken = false) {
	const status = element("status");
	status.textContent = words;
	status.classList.toggle("broken", broken);
}

// read decodes files and shows the first message.
function read(list) {
	files = list;
	const size = files.reduce((sum, f) => sum + f.data.length, 0);
	if (size > maxFile) return refuse(`more than ${maxFile} bytes`);
	const d = lobbywire.read(files, message.value, form.value);
	const counted = d.messages.length === 1 ? "1 message" : `${d.messages.length} messages`;
	say(d.error || [counted, d.form].filter(Boolean).join(", "), d.error !== "");
	element("left").replaceChildren(...d.left.map((line) => make("li", "", line)));
	element("leftSection").hidden = d.left.length === 0;
	element("messages").replaceChildren(...d.messages.length < 2 ? [] : d.messages.map((m, i) => {
		const button = make("button", "", `${m.title} ${m.format || "unknown"}`);
		button.type = "button";
		button.addEventListener("click", () => show(i));
		return make("li", "", button);
	}));
	element("list").hidden = d.messages.length < 2;
	if (d.messages.length > 0) show(0);
	else clear();
}

function refuse(why) {
	clear();
	element("list").hidden = element("leftSection").hidden = true;
	say(why, true);
}

function clear() {
	shown = null;
	rows = [];
	cells = [];
	element("result").hidden = true;
	for (const id of ["messages", "fields", "bytes"]) element(id).replaceChildren();
	link("");
}

// show explains the message i of the files.
function show(i) {
	shown = lobbywire.explain(i);
	rows = [];
	cells = [];
	owner = [];
	chosen = -1;
	for (const [k, button] of [...element("messages").querySelectorAll("button")].entries()) {
		if (k === i) button.setAttribute("aria-current", "true");
		else button.removeAttribute("aria-current");
	}
	element("name").textContent = shown.format || "Unknown bytes";
	const notes = [...shown.notes];
	if (shown.or.length > 0) notes.push(`may also be ${shown.or.join(", ")}`);
	if (shown.data.length > maxShown) notes.push(`the first ${maxShown} of ${shown.data.length} bytes are shown`);
	element("notes").replaceChildren(...notes.map((note) => make("li", "", note)));
	element("fields").replaceChildren(...shown.sections.map(drawSection));
	drawBytes();
	element("result").hidden = false;
	link(shown.header);
}

const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join(" ");

// drawSection returns the table of the fields of a section, and its error, in the markup of
// package listing.
function drawSection(section) {
	const body = make("tbody");
	for (const [offset, length, name, value] of section.fields) {
		if (offset > maxShown) break;
		const bytes = shown.data.subarray(offset, offset + Math.min(length, 16));
		const row = make("tr", "",
			make("td", "bytes", hex(bytes) + (length > 16 ? " …" : "")),
			make("td", "at", `${offset}+${length}`),
			make("td", "name", name),
			make("td", "value", make("bdi", "", value)));
		const k = rows.length;
		row.tabIndex = k === 0 ? 0 : -1;
		row.addEventListener("focus", () => choose(k, false));
		row.addEventListener("pointerenter", () => choose(k, false));
		row.addEventListener("click", () => row.focus());
		rows.push({ row, from: offset, to: offset + length });
		body.append(row);
	}
	const head = make("tr", "");
	for (const title of ["Bytes", "Offset", "Field", "Value"]) {
		const th = make("th", "", title);
		th.scope = "col";
		head.append(th);
	}
	if (section.error) {
		const cell = make("td", "comment", section.error);
		cell.colSpan = 4;
		body.append(make("tr", "", cell));
	}
	return make("table", "", make("caption", "", section.name || "Fields"), make("thead", "", head), body);
}

function drawBytes() {
	const view = shown.data.subarray(0, maxShown);
	for (const [k, { from, to }] of rows.entries()) {
		for (let i = from; i < Math.min(to, view.length); i++) owner[i] = k;
	}
	const lines = [];
	for (let at = 0; at < view.length; at += 16) {
		const line = make("div", "", make("span", "at", at.toString(16).padStart(4, "0")));
		for (let i = at; i < Math.min(at + 16, view.length); i++) {
			const cell = make("b", owner[i] % 2 ? "odd" : "", view[i].toString(16).padStart(2, "0"));
			cell.dataset.at = i;
			cells.push(cell);
			line.append(cell);
		}
		lines.push(line);
	}
	element("bytes").replaceChildren(...lines);
}

// choose highlights a field in both views. If move is set, its row comes into view.
function choose(k, move) {
	if (k === chosen || !rows[k]) return;
	mark(chosen, false);
	chosen = k;
	mark(k, true);
	const { row, from } = rows[k];
	if (move) row.scrollIntoView({ block: "nearest" });
	else cells[from]?.scrollIntoView({ block: "nearest" });
}

function mark(k, on) {
	if (!rows[k]) return;
	const { row, from, to } = rows[k];
	row.classList.toggle("chosen", on);
	row.tabIndex = on || k === 0 && chosen < 0 ? 0 : -1;
	for (let i = from; i < Math.min(to, cells.length); i++) cells[i].classList.toggle("chosen", on);
}

const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

// step moves from the chosen field by a key, and reports whether it is such a key.
function step(event) {
	if (!(event.key in steps) || rows.length === 0 || event.altKey || event.ctrlKey || event.metaKey) return false;
	event.preventDefault();
	choose(Math.max(0, Math.min(rows.length - 1, Math.max(chosen, -1) + steps[event.key])), true);
	return true;
}

element("fields").addEventListener("keydown", (event) => {
	if (step(event)) rows[chosen].row.focus();
});
element("bytes").addEventListener("keydown", (event) => {
	if (!step(event)) return;
	const cell = cells[rows[chosen].from];
	cell?.scrollIntoView({ block: "nearest" });
	const [, at, name, value] = [...rows[chosen].row.cells].map((c) => c.textContent);
	say(`${at} ${name} ${value}`);
});
for (const kind of ["pointerover", "click"]) {
	element("bytes").addEventListener(kind, (event) => {
		const at = event.target.dataset?.at;
		if (at !== undefined) choose(owner[at], true);
	});
}

// link puts the message that is shown into the address, if it is short.
function link(header) {
	let fragment = "";
	if (shown && shown.data.length <= maxLink) {
		const words = new URLSearchParams();
		for (const line of header.split("\n").filter(Boolean)) {
			const [, key, value] = line.match(/^# (\w+): (.*)$/);
			words.append(key, value);
		}
		words.append("hex", hex(shown.data).replaceAll(" ", ""));
		fragment = `#${words}`;
	}
	history.replaceState(null, "", location.pathname + location.search + fragment);
}

// follow shows what the address has, and reports whether it has anything.
function follow() {
	const words = new URLSearchParams(location.hash.slice(1));
	const bytes = words.get("hex");
	if (!bytes) return false;
	if (bytes.length > 2 * maxLink || !/^([0-9a-f]{2})+$/i.test(bytes)) {
		refuse("the link has no bytes in hexadecimal");
		return true;
	}
	let header = "";
	for (const [key, value] of words) {
		if (/^[A-Z][A-Za-z]*$/.test(key)) header += `# ${key}: ${value.replace(/[\r\n]/g, " ").slice(0, 200)}\n`;
	}
	message.value = form.value = "";
	text.value = header + bytes.replace(/(..)/g, "$1 ").replace(/((?:.. ){16})/g, "$1\n").trim();
	readText();
	return true;
}

function readText() {
	const data = new TextEncoder().encode(text.value);
	if (text.value.trim() === "") refuse("");
	else read([{ name: "", data }]);
}

async function readFiles(list) {
	const size = [...list].reduce((sum, f) => sum + f.size, 0);
	if (size > maxFile) return refuse(`more than ${maxFile} bytes`);
	say("Reading");
	text.value = "";
	read(await Promise.all([...list].map(async (f) => ({ name: f.name, data: new Uint8Array(await f.arrayBuffer()) }))));
}

text.addEventListener("input", readText);
picker.addEventListener("change", () => picker.files.length > 0 && readFiles(picker.files));
for (const e of [message, form]) e.addEventListener("change", () => files.length > 0 && read(files));
element("example").addEventListener("click", () => {
	text.value = exampleText;
	message.value = form.value = "";
	readText();
});
element("input").addEventListener("submit", (event) => event.preventDefault());
for (const kind of ["dragenter", "dragover"]) {
	addEventListener(kind, (event) => {
		event.preventDefault();
		document.body.classList.add("dropping");
	});
}
addEventListener("dragleave", (event) => event.relatedTarget || document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
	event.preventDefault();
	document.body.classList.remove("dropping");
	if (event.dataTransfer.files.length > 0 && !text.disabled) readFiles(event.dataTransfer.files);
});
addEventListener("hashchange", follow);

// ready is called by the codecs when they can be used.
globalThis.ready = () => {
	for (const f of lobbywire.formats) {
		const option = make("option", "", f.name);
		option.value = f.name;
		option.title = f.doc;
		message.append(option);
	}
	for (const e of [text, picker, message, form, element("example")]) e.disabled = false;
	say("");
	follow();
	document.body.dataset.ready = "yes";
	keep();
};

// keep lets a worker keep the files, so that the page loads without a network. A browser that
// has no workers, or none for this address, needs the network.
function keep() {
	const name = "worker.js";
	const policy = globalThis.trustedTypes?.createPolicy("offline", { createScriptURL: () => name });
	navigator.serviceWorker?.register(policy?.createScriptURL(name) ?? name).catch(() => {});
}

// load starts the codecs. Some hosts have decompressed them.
async function load() {
	let codecs = await (await fetch("codecs.wasm.gz")).arrayBuffer();
	if (new Uint8Array(codecs, 0, 2).join() === "31,139") {
		codecs = await new Response(new Blob([codecs]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
	}
	const go = new Go();
	const { instance } = await WebAssembly.instantiate(codecs, go.importObject);
	await go.run(instance);
}

load().then(() => say("The codecs have stopped. Load the page again.", true), (error) => say(`The codecs cannot be loaded: ${error.message}`, true));
