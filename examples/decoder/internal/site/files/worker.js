"use strict";

// The worker keeps the files of one version of the page, and answers with them when the network
// does not. The list of files is added below, and the version, which is a hash of them.

const cacheName = () => `${registration.scope} ${version}`;

addEventListener("install", (event) => {
	skipWaiting();
	event.waitUntil(caches.open(cacheName()).then((cache) =>
		cache.addAll(names.map((name) => new Request(name, { cache: "no-cache" })))));
});

// Other pages, in other folders, may have caches too.
addEventListener("activate", (event) => event.waitUntil(caches.keys().then((all) => Promise.all(all
	.filter((name) => name.startsWith(`${registration.scope} `) && name !== cacheName())
	.map((name) => caches.delete(name))))));

addEventListener("fetch", (event) => {
	const asked = new URL(event.request.url);
	asked.search = asked.hash = "";
	if (!names.some((name) => new URL(name, location).href === asked.href)) return;
	event.respondWith(fetch(event.request).catch(async (error) => {
		const cache = await caches.open(cacheName());
		const kept = await cache.match(asked.href);
		if (!kept) throw error;
		return kept;
	}));
});
