"use strict";

// The page shows what the codecs explain. All texts from files and links become text nodes.

const maxLink = 4096; // bytes of a message in a link
const exampleText = `# Message: sqp.QueryResponse
01 c0 7a 6c 3d 00 01 00 00 00 5b 00 00 00 57 00 00 00 10 14 55 45 34 20 44 65 64 69 63 61 74 65
64 20 53 65 72 76 65 72 2e 2f 53 63 72 69 70 74 2f 53 68 6f 6f 74 65 72 47 61 6d 65 2e 53 68 6f
6f 74 65 72 47 61 6d 65 5f 54 65 61 6d 44 65 61 74 68 4d 61 74 63 68 03 30 30 31 08 48 69 67 68
72 69 73 65 1e 61`;

const element = (id) => document.getElementById(id);
const text = element("text"), picker = element("files"), message = element("message"), form = element("form");

let files = []; // that are shown
let maxSize = 0; // bytes of all files
let shown = null; // the message that is shown, as the worker describes it
let current = null; // its button in the list
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

// fill replaces the children of an element. There may be too many for replaceChildren.
function fill(e, items, draw) {
	e.replaceChildren();
	for (const [i, item] of items.entries()) e.append(draw(item, i));
}

// blocks divides items into blocks, with the index of the first item of each. The browser lays out
// only the blocks that it shows.
function blocks(items) {
	const all = [];
	for (let at = 0; at === 0 || at < items.length; at += 100) all.push([at, items.slice(at, at + 100)]);
	return all;
}

function say(words, broken = false) {
	const status = element("status");
	status.textContent = words;
	status.classList.toggle("broken", broken);
}

// read decodes files and shows the first message.
async function read(list) {
	files = list;
	const isTooLarge = files.reduce((sum, f) => sum + f.size, 0) > maxSize;
	if (isTooLarge || files.length === 0) {
		stop();
		clear();
		return say(isTooLarge ? `more than ${maxSize >> 20} MiB` : "", isTooLarge);
	}
	say("Reading");
	const d = await ask({ files, message: message.value, form: form.value });
	const counted = d.messages.length === 1 ? "1 message" : `${d.messages.length} messages`;
	say(d.error || [counted, d.form].filter(Boolean).join(", "), d.error !== "");
	fill(element("left"), d.left, (line) => make("li", "", line));
	element("leftSection").hidden = d.left.length === 0;
	fill(element("messages"), blocks(d.messages), drawList);
	element("list").hidden = d.messages.length < 2;
	if (d.messages.length > 0) await show(0, element("messages").querySelector("button"));
	else hide();
}

function clear() {
	element("list").hidden = element("leftSection").hidden = true;
	for (const id of ["messages", "left"]) element(id).replaceChildren();
	hide();
}

// hide hides the message.
function hide() {
	shown = current = null;
	rows = [];
	cells = [];
	element("result").hidden = true;
	for (const id of ["fields", "bytes"]) element(id).replaceChildren();
	link("");
}

// drawList returns a block of the list of messages.
function drawList([at, messages]) {
	const list = make("ol", "block");
	list.start = at + 1;
	fill(list, messages, (m, i) => {
		const button = make("button", "", `${m.title} ${m.format || "unknown"}`);
		button.type = "button";
		button.dataset.message = at + i;
		return make("li", "", button);
	});
	return list;
}

// show explains the message i of the files, which has a button if there are several.
async function show(i, button) {
	shown = await ask({ show: i });
	rows = [];
	cells = [];
	owner = [];
	chosen = -1;
	current?.removeAttribute("aria-current");
	current = button;
	current?.setAttribute("aria-current", "true");
	element("name").textContent = shown.format || "Unknown bytes";
	const notes = [...shown.notes];
	if (shown.or.length > 0) notes.push(`may also be ${shown.or.join(", ")}`);
	if (shown.data.length < shown.size) notes.push(`the first ${shown.data.length} of ${shown.size} bytes are shown`);
	fill(element("notes"), notes, (note) => make("li", "", note));
	fill(element("fields"), shown.sections, drawSection);
	drawBytes();
	element("result").hidden = false;
	link(shown.header);
}

const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join(" ");

// drawSection returns the tables of the fields of a section, and its error, in the markup of
// package listing.
function drawSection(section) {
	const drawn = document.createDocumentFragment();
	fill(drawn, blocks(section.fields), ([, fields]) => {
		const body = make("tbody", "", ...fields.map(drawField));
		const head = make("tr", "", ...["Bytes", "Offset", "Field", "Value"].map((title) => make("th", "", title)));
		for (const th of head.children) th.scope = "col";
		return make("div", "block", make("table", "", make("caption", "", section.name || "Fields"), make("thead", "", head), body));
	});
	if (section.error) {
		const cell = make("td", "comment", section.error);
		cell.colSpan = 4;
		drawn.lastChild.querySelector("tbody").append(make("tr", "", cell));
	}
	return drawn;
}

function drawField([offset, length, name, value]) {
	const bytes = shown.data.subarray(offset, offset + Math.min(length, 16));
	const row = make("tr", "",
		make("td", "bytes", hex(bytes) + (length > 16 ? " …" : "")),
		make("td", "at", `${offset}+${length}`),
		make("td", "name", name),
		make("td", "value", make("bdi", "", value)));
	row.tabIndex = rows.length === 0 ? 0 : -1;
	row.dataset.row = rows.length;
	rows.push({ row, from: offset, to: offset + length });
	return row;
}

function drawBytes() {
	const view = shown.data;
	for (const [k, { from, to }] of rows.entries()) {
		for (let i = from; i < Math.min(to, view.length); i++) owner[i] = k;
	}
	element("bytes").replaceChildren();
	for (let at = 0; at < view.length; at += 16) {
		const line = make("div", "", make("span", "at", at.toString(16).padStart(4, "0")));
		for (let i = at; i < Math.min(at + 16, view.length); i++) {
			const cell = make("b", owner[i] % 2 ? "odd" : "", view[i].toString(16).padStart(2, "0"));
			cell.dataset.at = i;
			cells.push(cell);
			line.append(cell);
		}
		element("bytes").append(line);
	}
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
for (const kind of ["focusin", "pointerover", "click"]) {
	element("fields").addEventListener(kind, (event) => {
		const row = event.target.closest("tr[data-row]");
		if (!row) return;
		if (kind === "click") row.focus();
		choose(Number(row.dataset.row), false);
	});
}
element("messages").addEventListener("click", (event) => {
	const button = event.target.closest("button");
	if (button && !isReading()) show(Number(button.dataset.message), button);
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
	if (shown && shown.size + header.length <= maxLink) {
		const words = new URLSearchParams();
		for (const line of header.split("\n").filter(Boolean)) {
			const [key] = line.slice(2).split(":", 1);
			words.append(key, line.slice(key.length + 4));
		}
		words.append("hex", hex(shown.data).replaceAll(" ", ""));
		fragment = `#${words}`;
	}
	history.replaceState(null, "", location.pathname + location.search + fragment);
}

// follow shows the message in the address, if there is one.
function follow() {
	const words = new URLSearchParams(location.hash.slice(1));
	const bytes = words.get("hex");
	if (!bytes) return;
	if (bytes.length > 2 * maxLink || !/^([0-9a-f]{2})+$/i.test(bytes)) {
		clear();
		say("the link has no bytes in hexadecimal", true);
		return;
	}
	let header = "";
	for (const [key, value] of words) {
		if (/^[A-Z][A-Za-z]*$/.test(key)) header += `# ${key}: ${value.replace(/[\r\n]/g, " ").slice(0, 200)}\n`;
	}
	message.value = form.value = "";
	text.value = header + bytes.replace(/(..)/g, "$1 ").replace(/((?:.. ){16})/g, "$1\n").trim();
	readText();
}

function readText() {
	read(text.value.trim() === "" ? [] : [new File([text.value], "")]);
}

function readFiles(list) {
	text.value = "";
	read([...list]);
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

let codecs, script; // of the worker
let worker = null;
let isReady = false; // the worker has the codecs
let running = null; // the request on which the worker works: {request, done}
let next = null; // the request that waits
let delay = 0; // until the page says that it waits

// ask returns a promise of the worker's answer. The request replaces one that waits; a request to
// read files ends the one on which the worker works.
function ask(request) {
	return new Promise((done) => {
		next = { request, done };
		if (!worker || running && request.files) start();
		send();
	});
}

// stop drops all requests.
function stop() {
	next = null;
	if (running) start();
	send();
}

const isReading = () => Boolean((next ?? running)?.request.files);

function send() {
	if (isReady && !running && next) {
		[running, next] = [next, null];
		element("progress").removeAttribute("value");
		worker.postMessage(running.request);
	}
	if (running || next) {
		document.body.dataset.busy = "yes";
		delay ||= setTimeout(wait, 300);
		return;
	}
	delete document.body.dataset.busy;
	clearTimeout(delay);
	delay = 0;
	element("work").hidden = true;
}

function wait() {
	if (isReading()) clear();
	element("work").hidden = false;
}

// start starts a worker in place of the present one.
function start() {
	worker?.terminate();
	isReady = false;
	running = null;
	const started = new Worker(scripts.createScriptURL(script));
	started.onmessage = ({ data }) => started === worker && hear(data);
	started.onerror = (event) => started === worker && hear({ stopped: event.message });
	started.postMessage(codecs);
	worker = started;
}

function hear({ formats, max, progress, answer, stopped }) {
	if (formats) {
		isReady = true;
		send();
		if (!maxSize) enable(formats, max);
	} else if (progress) {
		element("progress").value = progress;
	} else if (answer) {
		const { done } = running;
		running = null;
		send();
		done(answer);
	} else {
		worker.terminate();
		worker = running = null;
		stop();
		clear();
		say(`The codecs have stopped: ${stopped}`, true);
	}
}

element("cancel").addEventListener("click", () => {
	stop();
	clear();
	say("Canceled");
});

// enable lets the user begin.
function enable(formats, max) {
	maxSize = max;
	element("max").textContent = `up to ${max >> 20} MiB`;
	for (const f of formats) {
		const option = make("option", "", f.name);
		option.value = f.name;
		option.title = f.doc;
		message.append(option);
	}
	for (const e of [text, picker, message, form, element("example")]) e.disabled = false;
	say("");
	follow();
	document.body.dataset.ready = "yes";
	// A service worker keeps the files, so that the page loads without a network. A browser that
	// has none, or none for this address, needs the network.
	navigator.serviceWorker?.register(scripts.createScriptURL("worker.js")).catch(() => {});
}

// scripts makes the addresses of workers that the page's policy demands.
const addresses = { createScriptURL: (address) => address };
const scripts = globalThis.trustedTypes?.createPolicy("workers", addresses) ?? addresses;

// load starts the codecs. Some hosts have decompressed them. The page has the worker's script, so
// that it can start another worker without the network, under the page's own policy.
async function load() {
	const [packed, program] = await Promise.all(["codecs.wasm.gz", "codecs.js"].map(async (name) => (await fetch(name)).blob()));
	const isPacked = new Uint8Array(await packed.slice(0, 2).arrayBuffer()).join() === "31,139";
	const unpacked = isPacked ? packed.stream().pipeThrough(new DecompressionStream("gzip")) : packed;
	codecs = await WebAssembly.compile(await new Response(unpacked).arrayBuffer());
	script = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
	start();
}

load().catch((error) => say(`The codecs cannot be loaded: ${error.message}`, true));
