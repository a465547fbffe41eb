package site_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
)

// hasWorker is an expression that waits until the worker has all files.
const hasWorker = `navigator.serviceWorker.ready.then(() => true)`

// close ends the server and its connections.
func (b tab) close() {
	b.server.CloseClientConnections()
	b.server.Close()
}

// The page makes no request after it has been loaded, and loads again without a network.
func TestPageLoadsWithoutNetwork(t *testing.T) {
	b := browse(t)
	browsertest.Eval[bool](b.Tab, hasWorker)
	b.close()
	b.typeText(query)
	if got := browsertest.Eval[string](b.Tab, name); got != "sqp.Request" {
		t.Errorf("%q", got)
	}
	b.Clean()
	b.open("#Message=sqp.QueryRequest&hex=" + strings.ReplaceAll(query, " ", ""))
	if got := browsertest.Eval[string](b.Tab, name); got != "sqp.QueryRequest" {
		t.Errorf("after a reload: %q", got)
	}
	const style = `[...document.styleSheets].every((s) => s.cssRules.length > 0)`
	if !browsertest.Eval[bool](b.Tab, style) {
		t.Error("after a reload: no style")
	}
}

// The worker of a new version keeps only the new files.
func TestNewVersionDropsOldFiles(t *testing.T) {
	b := browse(t)
	browsertest.Eval[bool](b.Tab, hasWorker)
	first := *b.served.Load()
	second := maps.Clone(first)
	second["page.css"] = append(bytes.Clone(first["page.css"]), "h1 { letter-spacing: 7px }"...)
	second["worker.js"] = bytes.Replace(first["worker.js"], []byte(`version = "`), []byte(`version = "second`), 1)
	b.served.Store(&second)
	browsertest.Eval[bool](b.Tab, `(async () => {
		await (await navigator.serviceWorker.ready).update();
		for (;;) {
			const kept = await caches.keys();
			if (kept.length === 1 && kept[0].includes(" second")) return true;
			await new Promise(requestAnimationFrame);
		}
	})()`)
	b.close()
	b.open("")
	got := browsertest.Eval[string](b.Tab, `getComputedStyle(document.querySelector("h1")).letterSpacing`)
	if got != "7px" {
		t.Errorf("the style is the old one: %s", got)
	}
}
