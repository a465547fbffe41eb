package site_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/lobbywire/lobbywire/examples/decoder/internal/site"
	"github.com/lobbywire/lobbywire/internal/needs"
)

// files are built once for all tests.
var files = sync.OnceValues(func() (site.Files, error) { return site.Build(context.Background()) })

// A tab is a tab of a headless browser with the page.
type tab struct {
	ctx    context.Context
	t      *testing.T
	server *httptest.Server

	mu       sync.Mutex
	problems []string // problems that the browser reports: violations of the policy, errors, dialogs
}

// browse opens the page. It skips the test if there is no browser.
func browse(t *testing.T) *tab {
	t.Helper()
	path := needs.Program(t, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
	built, err := files()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(built)
	t.Cleanup(server.Close)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.WindowSize(1280, 900))
	limit, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	t.Cleanup(cancel)
	browser, cancel := chromedp.NewExecAllocator(limit, options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	b := &tab{ctx: ctx, t: t, server: server}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		needs.Missing(t, "%s does not start: %v", path, err)
	}
	if _, err := chromedp.Call(ctx, log.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	b.open("")
	return b
}

func (b *tab) hear(event any) {
	problem := ""
	switch e := event.(type) {
	case *log.EventEntryAdded:
		problem = e.Entry.Text + " " + e.Entry.URL
	case *runtime.EventExceptionThrown:
		problem = (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error()
	case *page.EventJavascriptDialogOpening:
		problem = "a dialog: " + e.Message
	}
	if problem != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.problems = append(b.problems, problem)
	}
}

// clean fails the test if the browser has reported problems.
func (b *tab) clean() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.problems) > 0 {
		b.t.Errorf("the browser says:\n%s", strings.Join(b.problems, "\n"))
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// eval evaluates an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	result, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%.300s: %v", expression, err)
	}
	return result
}

// until waits until an expression is true in the page. It is evaluated in each frame.
func (b *tab) until(expression string) {
	b.t.Helper()
	eval[bool](b, `new Promise((done) => {
		const look = () => (`+expression+`) ? done(true) : requestAnimationFrame(look);
		look();
	})`)
}

// open loads the page with a fragment and waits until it can decode.
func (b *tab) open(fragment string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.server.URL+"/"+fragment))
	b.until(`document.body.dataset.ready`)
}

// encodeJSON returns a value as a JavaScript expression.
func encodeJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
