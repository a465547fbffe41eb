package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/lobbywire/lobbywire/internal/needs"
)

// A tab is a tab of a headless browser.
type tab struct {
	ctx context.Context
	t   *testing.T

	mu       sync.Mutex
	problems []string // problems that the browser reports: violations of the policy, errors, dialogs
}

// browse opens a tab. It skips the test if there is no browser.
func browse(t *testing.T) *tab {
	t.Helper()
	path := needs.Program(t, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.WindowSize(1280, 900))
	limit, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	t.Cleanup(cancel)
	browser, cancel := chromedp.NewExecAllocator(limit, options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	b := &tab{ctx: ctx, t: t}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		needs.Missing(t, "%s does not start: %v", path, err)
	}
	if _, err := chromedp.Call(ctx, log.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
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
	result, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatal(expression, err)
	}
	return result
}

// until waits until an expression is true in the page. It is evaluated in each frame.
func (b *tab) until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	look := chromedp.Evaluate[bool](`new Promise((done) => {
		const look = () => (`+expression+`) ? done(true) : requestAnimationFrame(look);
		look();
	})`, chromedp.EvalAwaitPromise)
	_, err := chromedp.Run(ctx, look)
	for hasLeftPage(err) {
		_, err = chromedp.Run(ctx, look)
	}
	if err != nil {
		b.clean()
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.body.innerText.slice(0, 1500)`))
		b.t.Fatalf("%s: %v\n%s", expression, err, text)
	}
}

// hasLeftPage reports whether an expression waited in a page that the browser has left.
func hasLeftPage(err error) bool {
	var refused *cdproto.Error
	return errors.As(err, &refused) && refused.Code == -32000
}

// open loads a page and waits until it is live.
func (b *tab) open(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
	b.until(`document.getElementById("link").dataset.link === "live"`)
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
