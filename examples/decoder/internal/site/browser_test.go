package site_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/lobbywire/lobbywire/examples/decoder/internal/site"
	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
)

// files are built once for all tests.
var files = sync.OnceValues(func() (site.Files, error) { return site.Build(context.Background()) })

// A tab is a tab of a headless browser with the page.
type tab struct {
	*browsertest.Tab
	server *httptest.Server
	served *atomic.Pointer[site.Files]
}

// browse opens the page. It skips the test if there is no browser.
func browse(t *testing.T) tab {
	t.Helper()
	b := tab{Tab: browsertest.Open(t), served: new(atomic.Pointer[site.Files])}
	built, err := files()
	if err != nil {
		t.Fatal(err)
	}
	b.served.Store(&built)
	b.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.served.Load().ServeHTTP(w, r)
	}))
	t.Cleanup(b.server.Close)
	if _, err := chromedp.Call(b.Ctx, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	b.open("")
	return b
}

// open loads the page with a fragment and waits until it can decode.
func (b tab) open(fragment string) {
	b.T.Helper()
	b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.server.URL+"/"+fragment))
	b.Until(`document.body.dataset.ready && ` + idle)
}
