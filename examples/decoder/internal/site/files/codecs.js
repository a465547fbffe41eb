"use strict";

// A worker of the page, which decodes. The script of Go that runs WebAssembly is above. The page
// sends the compiled codecs, and then requests: {files, message, form} or {show}.

globalThis.ready = () => postMessage({ formats: lobbywire.formats, max: lobbywire.max });

async function run(codecs) {
	const go = new Go();
	await go.run(await WebAssembly.instantiate(codecs, go.importObject));
	throw new Error("the program has ended");
}

async function read({ files, message, form }) {
	const all = await Promise.all(files.map(async (f) => ({ name: f.name, data: new Uint8Array(await f.arrayBuffer()) })));
	return lobbywire.read(all, message, form, (progress) => postMessage({ progress }));
}

addEventListener("message", async ({ data }) => {
	try {
		if (data instanceof WebAssembly.Module) await run(data);
		else postMessage({ answer: data.files ? await read(data) : lobbywire.explain(data.show) });
	} catch (error) {
		postMessage({ stopped: error.message });
	}
});
